import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Testing

@Suite("Idempotent request delivery")
struct RequestPipelineTests {
    static let confirmed = TransportResponse.json(
        200,
        #"{"command_id":"c1","device_id":"front-door","entity_id":"lock.front_door","action":"unlock","status":"confirmed","execution_time":812}"#
    )

    @Test("A command with a lost answer is repeated with the same idempotency key")
    func sameKey() async throws {
        let hub = ScriptedTransport { _, before in before < 2 ? .failure(.interrupted) : .success(Self.confirmed) }

        let outcome = try await CardeaClient.at(hub).devices.control(DeviceCommand("front-door", "unlock"))

        guard case .confirmed(let command) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(command.commandID == "c1")
        #expect(hub.requests.count == 3)
        #expect(Set(hub.requests.map { $0.headers["idempotency-key"] }).count == 1)
        #expect(hub.requests.first?.headers["idempotency-key"]?.isEmpty == false)
    }

    @Test("Two commands have two idempotency keys")
    func twoKeys() {
        #expect(DeviceCommand("front-door", "unlock").key != DeviceCommand("front-door", "unlock").key)
        #expect(GuestAction("door.open").key != GuestAction("door.open").key)
    }

    @Test("A command without a connection is not sent and not retried")
    func nobodyThere() async throws {
        let hub = ScriptedTransport { _, _ in .failure(.noConnection) }

        await #expect(throws: ClientError.noConnection(host: "house.example")) {
            try await CardeaClient.at(hub).devices.control(DeviceCommand("front-door", "unlock"))
        }

        #expect(hub.requests.count == 1)
    }

    @Test("A sent command with no connection afterwards has an unknown outcome")
    func goneAfterSending() async throws {
        let hub = ScriptedTransport { _, before in .failure(before == 0 ? .interrupted : .noConnection) }

        let outcome = try await CardeaClient.at(hub).devices.control(DeviceCommand("front-door", "unlock"))

        guard case .unknown(nil) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(hub.requests.count > 1)
    }

    @Test("A door command is not retried close to its ten-second limit")
    func neverLate() async throws {
        let clock = Counter()
        let start = Date()
        // Each read of the clock is four seconds later.
        let environment = ClientEnvironment(
            now: { start.addingTimeInterval(Double(clock.next()) * 4) }, sleep: { _ in }, newKey: { "key" })
        let hub = ScriptedTransport { _, _ in .failure(.interrupted) }
        let store = MemorySessionStore(Session(accessToken: Secret("a"), refreshToken: Secret("r"), expiresAt: .distantFuture))

        let outcome = try await CardeaClient.at(hub, store, environment).devices.control(DeviceCommand("front-door", "unlock"))

        guard case .unknown = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(hub.requests.count == 2)
    }

    @Test("A command timeout gives an unknown outcome and no retry")
    func timeout() async throws {
        let hub = ScriptedTransport { _, _ in .failure(.timeout) }

        let outcome = try await CardeaClient.at(hub).devices.control(DeviceCommand("front-door", "unlock"))

        guard case .unknown(nil) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(hub.requests.count == 1)
    }

    @Test("A scene's timeout covers all its actions")
    func scenes() async throws {
        let hub = ScriptedTransport { _, _ in .success(.json(200, #"{"batch_id":"b1","results":[]}"#)) }

        _ = try? await CardeaClient.at(hub).scenes.run("s1")

        let run = try #require(hub.requests(to: "/api/v1/scenes/s1/run").first)
        #expect(run.timeout == .seconds(75))
    }

    @Test("An equal command waits for the outcome of the one in progress")
    func inFlight() async throws {
        let hub = ScriptedTransport { _, before in
            switch before {
            case 0: .failure(.interrupted)
            case 1: .success(.refused(409, "in_flight"))
            default: .success(Self.confirmed)
            }
        }

        let outcome = try await CardeaClient.at(hub).devices.control(DeviceCommand("front-door", "unlock"))

        guard case .confirmed = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(hub.requests.count == 3)
    }

    // A person at a door once got "502" while the proxy was still looking for the hub.
    @Test("A proxy's error is retried with the same key and is no answer", arguments: [502, 503, 504])
    func proxy(status: Int) async throws {
        let gone = TransportResponse(status: status, body: Data("<html>".utf8))
        let back = ScriptedTransport { _, before in .success(before < 2 ? gone : Self.confirmed) }
        guard case .confirmed = try await CardeaClient.at(back).devices.control(DeviceCommand("front-door", "unlock")) else {
            return #expect(Bool(false), "the house was back")
        }
        #expect(Set(back.requests.map { $0.headers["idempotency-key"] }).count == 1)

        let away = ScriptedTransport { _, _ in .success(gone) }
        guard case .unknown(nil) = try await CardeaClient.at(away).devices.control(DeviceCommand("front-door", "unlock")) else {
            return #expect(Bool(false), "nobody can say what became of it")
        }
        // The house's own refusal is an answer.
        let words = ScriptedTransport { _, _ in .success(.refused(503, "device_unreachable")) }
        await #expect(throws: ClientError.self) { try await CardeaClient.at(words).devices.control(DeviceCommand("front-door", "unlock")) }
        #expect(words.requests.count == 1)
    }

    @Test("Signing in is not retried because it has no key")
    func loginOnce() async throws {
        let hub = ScriptedTransport { _, _ in .failure(.interrupted) }

        await #expect(throws: ClientError.interrupted(host: "house.example")) {
            try await CardeaClient.at(hub, MemorySessionStore()).sessions.login(username: "resident", password: Secret("correct horse"))
        }

        #expect(hub.requests.count == 1)
    }

    @Test("A redirect is not followed", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
        let hub = ScriptedTransport { _, _ in .success(.json(status, "", ["location": "https://elsewhere.example/"])) }

        do {
            _ = try await CardeaClient.at(hub).people.list()
            Issue.record("a redirect was taken for an answer")
        } catch ClientError.invalidResponse {}

        #expect(hub.requests.count == 1)
    }

    @Test("A guest action is retried with the same key, and its outcome is unknown if all answers are lost")
    func guestsWish() async throws {
        let hub = ScriptedTransport { _, _ in .failure(.interrupted) }
        let client = try CardeaClient.at(hub)

        await #expect(throws: GuestAccessError.outcomeUnknown(nil)) {
            try await client.guestAccess.perform(GuestAction("door.open"), token: Secret("cardea_gp_x"))
        }

        #expect(hub.requests.count > 1)
        #expect(Set(hub.requests.map { $0.headers["idempotency-key"] }).count == 1)
    }

    @Test("Identifiers are escaped and cannot leave their path segment")
    func escaping() async throws {
        let hub = ScriptedTransport { _, _ in .success(.refused(404, "device_not_found")) }
        let client = try CardeaClient.at(hub)

        await #expect(throws: ClientError.self) { try await client.devices.get("a/../../b?c#d é") }
        await #expect(throws: ClientError.self) { try await client.devices.get("..") }

        #expect(hub.requests.map(\.url.absoluteString) == ["https://house.example/api/v1/devices/a%2F..%2F..%2Fb%3Fc%23d%20%C3%A9"])
    }
}
