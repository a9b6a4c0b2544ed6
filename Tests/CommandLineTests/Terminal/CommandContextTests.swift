import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Credentials, name resolution and certainty of outcomes")
struct CommandContextTests {
    /// A program's terminal with a token for a different house than the stored pass's.
    private func program(at house: ScriptedTransport) async throws -> TestTerminal {
        var terminal = TestTerminal(house: house)
        try await terminal.storePass()
        let token = terminal.folder.appendingPathComponent("token").path
        try #require(
            FileManager.default.createFile(atPath: token, contents: Data("cardea_at_x\n".utf8), attributes: [.posixPermissions: 0o600]))
        terminal.environment = ["CARDEA_TOKEN_FILE": token, "CARDEA_HUB": "https://other.example"]
        return terminal
    }

    // A stored pass was once used at its house, although the script had named another house and its own token.
    @Test("A program uses its token and leaves a stored pass unused", arguments: ["open front-door", "lock front-door", "status"])
    func spendsNoPass(line: String) async throws {
        let house = ScriptedTransport { _, _ in .refused(401, "unauthorized") }

        let failure = try #require(try await program(at: house).run(line))

        #expect(failure.status == .notSignedIn && failure.code == "unauthorized")
        #expect(failure.message.contains("CARDEA_TOKEN_FILE") && failure.message.contains("revoked or has expired"))
        #expect(failure.message.contains("cardea tokens make") && !failure.message.contains("cardea login"))
        #expect(!house.requests.isEmpty)
        for request in house.requests {
            #expect(request.url.host() == "other.example" && request.headers["authorization"] == "Bearer cardea_at_x")
        }
    }

    @Test("A program's status shows the doors without a request for people")
    func programStatus() async throws {
        let house = ScriptedTransport { request, _ in
            switch request.url.path {
            case "/api/v1/house":
                .json(
                    200,
                    #"{"house_id":"h","name":"Lime","time_zone":"UTC","now":"2026-11-21T14:31:00.000Z","public_url":"https://other.example","rooms":[]}"#
                )
            case "/readyz": .json(200, "{}")
            case "/api/v1/devices": .json(200, #"{"devices":[],"total":0,"filters_applied":{}}"#)
            default: .refused(403, "forbidden")
            }
        }

        #expect(try await program(at: house).run("status") == nil)

        #expect(!house.requests.contains { $0.url.path.hasPrefix("/api/v1/people") })
    }

    @Test("Signing out is refused for a program's token, with the right command")
    func programLogout() async throws {
        let house = ScriptedTransport { _, _ in .refused(401, "unauthorized") }

        let failure = try #require(try await program(at: house).run("logout"))

        #expect(failure.status == .usage && failure.message.contains("cardea tokens revoke"))
        #expect(house.requests.isEmpty)
    }

    private static let scenes = """
        {"scenes":[{"scene_id":"s1","name":"Night","icon":null,"actions":[],"version":1,"created_at":"2026-11-21T14:31:00.000Z",\
        "changed_at":"2026-11-21T14:31:00.000Z"}],"total":1}
        """

    private static let ruben = """
        {"people":[{"person_id":"p1","username":"rb","name":"Ruben","role":"member","permissions":[],"status":"active",\
        "can_invite_guests":false,"created_at":"2026-11-21T14:31:00.000Z","last_seen_at":null}],"total":1}
        """

    // "Nothing was done" was once said of a removal with a lost answer.
    @Test("A change with a lost answer may have been made, and a read with one changed nothing")
    func lostAnswers() async throws {
        let house = ScriptedTransport { request, _ in
            request.method == .get && request.url.path == "/api/v1/people" ? .json(200, Self.ruben) : .failure(.timeout)
        }
        let terminal = TestTerminal(house: house)
        try await terminal.signIn()

        let changed = try #require(try await terminal.run("people remove ruben --yes"))
        #expect(changed.status == .unknown && changed.code == "outcome_unknown")
        #expect(changed.message.hasPrefix("We are not sure it was done.") && changed.message.contains("before you try again"))
        let looked = try #require(try await terminal.run("devices"))
        #expect(looked.status == .unreachable && looked.code == "no_connection")
    }

    @Test("A scene with a lost answer may have run")
    func lostScene() async throws {
        let house = ScriptedTransport { request, _ in request.method == .get ? .json(200, Self.scenes) : .failure(.timeout) }
        let terminal = TestTerminal(house: house)
        try await terminal.signIn()

        let failure = try #require(try await terminal.run("scenes run Night"))

        #expect(failure.status == .unknown && failure.code == "outcome_unknown")
    }

    @Test("A refused, dry-run or unsent command changed nothing")
    func changeTracking() async throws {
        func mayHaveChanged(
            _ method: TransportRequest.Method, _ path: String, _ answer: Result<TransportResponse, TransportError>
        ) async throws -> Bool {
            let transport = ChangeTrackingTransport(ScriptedTransport { _, _ in answer })
            let url = try #require(URL(string: "https://house.example\(path)"))
            _ = try? await transport.send(TransportRequest(method: method, url: url))
            return transport.mayHaveChanged
        }
        let done = Result<TransportResponse, TransportError>.json(200, "{}")

        #expect(try await mayHaveChanged(.post, "/api/v1/guests/g/approve", done))
        #expect(try await mayHaveChanged(.delete, "/api/v1/people/p", .failure(.interrupted)))
        #expect(try await mayHaveChanged(.put, "/api/v1/devices/d/control", .refused(504, "outcome_unknown")))
        #expect(try await !mayHaveChanged(.post, "/api/v1/guests/g/approve", .refused(403, "forbidden")))
        #expect(try await !mayHaveChanged(.delete, "/api/v1/people/p", .failure(.noConnection)))
        #expect(try await !mayHaveChanged(.get, "/api/v1/people", .failure(.timeout)))
        #expect(try await !mayHaveChanged(.post, "/api/v1/auth/refresh", done))
        #expect(try await !mayHaveChanged(.post, "/cardea/api/v1/explain", done))
    }

    // `cardea people remove ben --yes`, run twice, once removed Ruben from the household.
    @Test("A partial name removes no person, and the error names the match")
    func wholeNames() async throws {
        let house = ScriptedTransport { request, _ in request.method == .get ? .json(200, Self.ruben) : .json(204, "") }
        let terminal = TestTerminal(house: house)
        try await terminal.signIn()

        let failure = try #require(try await terminal.run("people remove ben --yes"))
        #expect(failure.status == .refused && failure.code == "not_found")
        #expect(failure.message == #"No person is called "ben". Ruben is: cardea people remove Ruben"#)
        for line in ["people change ben --disabled", "people link rub"] {
            #expect(try await terminal.run(line)?.code == "not_found", "\(line)")
        }
        #expect(house.requests.allSatisfy { $0.method == .get })
        for line in ["people remove RUBEN --yes", "people remove rb --yes", "people remove p1 --yes"] {
            #expect(try await terminal.run(line) == nil, "\(line)")
            #expect(house.requests.last?.method == .delete && house.requests.last?.url.path == "/api/v1/people/p1")
        }
    }

    @Test("If a full name is required, similar names are suggested in typable form")
    func similarNames() {
        func sentence(_ wanted: String, _ names: String...) -> String? {
            do {
                let found = try NameResolver.resolve(
                    wanted, among: names, what: "guest", ids: { ["id-\($0.count)"] }, name: { $0 }, exactly: "cardea guests revoke")
                return "found \(found)"
            } catch {
                return (error as? cardea.CommandLineError)?.message
            }
        }
        #expect(sentence("aunt ida", "Aunt Ida", "Aunt Ida's friend") == "found Aunt Ida")
        #expect(sentence("ida", "Aunt Ida") == #"No guest is called "ida". Aunt Ida is: cardea guests revoke 'Aunt Ida'"#)
        #expect(sentence("o", "$(id) O'Neil")?.hasSuffix(#"cardea guests revoke '$(id) O'\''Neil'"#) == true)
        #expect(sentence("b", "-ben")?.hasSuffix("cardea guests revoke id-4") == true)
        #expect(sentence("ida", "Aunt Ida", "Idaho")?.contains("Use the full name or the id.") == true)
        #expect(sentence("x", "Aunt Ida") == #"No guest is called "x". Available: Aunt Ida (id-8)."#)
    }

    private static let pendingApproval =
        #"{"success":false,"status":"pending_approval","command_id":"cmd_1","message":"Wait.","retry_after":1,"expires_at":4102444800}"#

    @Test("Ctrl-C before the approval cancels a guest's request, and no use is counted")
    func cancelled() async throws {
        let ctrlC = InterruptHandler(heard: false)
        let house = ScriptedTransport { request, _ in
            guard request.url.path == "/api/guest_access/action" else {
                return .json(200, #"{"success":true,"status":"taken_back","command_id":"cmd_1","use_returned":true}"#)
            }
            ctrlC.interrupt()
            return .json(202, Self.pendingApproval)
        }
        let terminal = TestTerminal(house: house, interruptHandler: ctrlC)
        try await terminal.storePass()

        let failure = try #require(try await terminal.run("open"))

        #expect(failure.status == .refused && failure.code == "taken_back")
        #expect(failure.message == "Request withdrawn. The use was not counted.")
        #expect(house.requests.map(\.url.path) == ["/api/guest_access/action", "/api/guest_access/action/cancel"])
        #expect(house.requests.last?.body.map { String(decoding: $0, as: UTF8.self) } == #"{"command_id":"cmd_1"}"#)
    }

    @Test("Ctrl-C after the approval is too late, and the door's result is shown")
    func tooLate() async throws {
        let ctrlC = InterruptHandler(heard: false)
        let house = ScriptedTransport { request, before in
            switch (request.url.path, before) {
            case ("/api/guest_access/action", 0):
                ctrlC.interrupt()
                return .json(202, Self.pendingApproval)
            case ("/api/guest_access/action", _): return .json(200, #"{"success":true,"remaining_uses":1}"#)
            default: return .json(409, #"{"success":false,"error":"not_waiting","message":"Nobody is asked any more."}"#)
            }
        }
        let terminal = TestTerminal(house: house, interruptHandler: ctrlC)
        try await terminal.storePass()

        #expect(try await terminal.run("open") == nil)

        let asked = house.requests.filter { $0.url.path == "/api/guest_access/action" }
        #expect(asked.count == 2 && Set(asked.map { $0.headers["idempotency-key"] }).count == 1)
    }

    @Test("A request that cannot be cancelled or whose connection is lost stays pending")
    func pendingApprovals() async throws {
        let ctrlC = InterruptHandler(heard: false)
        let unheard = ScriptedTransport { request, before in
            guard before == 0 else { return .failure(.noConnection) }
            ctrlC.interrupt()
            return .json(202, Self.pendingApproval)
        }
        let gone = ScriptedTransport { _, before in before == 0 ? .json(202, Self.pendingApproval) : .failure(.noConnection) }

        for terminal in [TestTerminal(house: unheard, interruptHandler: ctrlC), TestTerminal(house: gone)] {
            try await terminal.storePass()
            let failure = try #require(try await terminal.run("open"))
            #expect(failure.status == .unknown && failure.code == "outcome_unknown")
            #expect(failure.message.contains("the door still opens"))
        }
    }

    @Test("Without waiting, the output says that the request is pending and how to wait")
    func noWait() async throws {
        let terminal = TestTerminal(house: ScriptedTransport { _, _ in .json(202, Self.pendingApproval) })
        try await terminal.storePass()

        let failure = try #require(try await terminal.run("open --no-wait"))

        #expect(failure.status == .tryLater && failure.code == "pending_approval")
        #expect(failure.message.contains("if it is approved, the door opens") && failure.message.contains("Without --no-wait"))
        #expect(failure.details["command_id"]?.string == "cmd_1")
    }
}
