import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Household features through the client library", .timeLimit(.minutes(10)))
struct HouseholdClientEndToEndTests {
    private func signedIn(
        _ harness: HubTransport = .router, _ body: @escaping @Sendable (TestHouse, CardeaClient) async throws -> Void
    ) async throws {
        try await harness.run { house, cardea, _ in
            try await house.claim()
            try await cardea.sessions.login(username: "owner", password: TestHouse.password)
            try await body(house, cardea)
        }
    }

    @Test("A scene is created, run, broken down by failed item, and deleted", arguments: HubTransport.allCases)
    func scenes(harness: HubTransport) async throws {
        try await signedIn(harness) { house, cardea in
            let night = try await cardea.scenes.create(
                SceneBody(
                    name: "Good night",
                    actions: [
                        DeviceActionBody(deviceID: "front-door", action: "lock"), DeviceActionBody(deviceID: "hall-light", action: "off"),
                    ]))
            #expect(try await cardea.scenes.list().scenes.map(\.name) == ["Good night"])
            #expect(try await cardea.scenes.run(night.sceneID).results.map(\.status) == ["confirmed", "confirmed"])
            house.doorBackend.set(.jams, at: "lock.front_door")
            #expect(try await cardea.scenes.run(night.sceneID).results.map(\.status) == ["failed", "confirmed"])
            try await cardea.scenes.remove(night.sceneID)
            #expect(try await cardea.scenes.list().total == 0)
        }
    }

    @Test("A room rename keeps the other fields and does not overwrite a concurrent rename")
    func rooms() async throws {
        try await HubTransport.router.run { house, cardea, client in
            let (_, tokens) = try await house.claim()
            try await cardea.sessions.login(username: "owner", password: TestHouse.password)
            let ask = TestAPIClient(client: client, token: tokens.access)
            let study =
                #"{"name":"Study","room_type":"office","floor":1,"window_count":2,"activities":["reading"],"preferred_temperature":20.5}"#
            _ = try await ask(.post, "/api/v1/rooms", study)
            let room = try #require(try await cardea.rooms.list().rooms.first)

            let library = try await cardea.rooms.rename(room.roomID, to: "Library")

            #expect(library.name == "Library" && library.version > room.version)
            #expect(library.roomType == room.roomType && library.floor == 1 && library.windowCount == 2)
            #expect(library.activities == ["reading"] && library.preferredTemperature == 20.5)
            let line = ConflictingWriteTransport(RouterTransport(client)) {
                _ = try? await ask(.put, "/api/v1/rooms/\(room.roomID)", #"{"name":"Den"}"#)
            }
            let late = CardeaClient(hub: try HubAddress("http://localhost"), transport: line)
            try await late.sessions.login(username: "owner", password: TestHouse.password)
            let refusal = await #expect(throws: ClientError.self) { try await late.rooms.rename(room.roomID, to: "Office") }
            guard case .api(let answer) = refusal else {
                Issue.record("what somebody else wrote was overwritten")
                return
            }
            #expect(answer.status == 412, "\(answer)")
            #expect(try await cardea.rooms.get(room.roomID).name == "Den")
        }
    }

    @Test("Sensor readings and air data are fetched completely")
    func readings() async throws {
        try await signedIn { house, cardea in
            for word in ["19", "23"] {
                house.clock.advance(by: 60)
                try await house.doorBackend.report(word, at: "sensor.hall")
            }
            house.clock.advance(by: 60)
            let (from, to) = (house.clock.now.addingTimeInterval(-86_400), house.clock.now)

            let raw = try await cardea.readings.history(of: "hall-sensor", from: from, to: to)
            #expect(raw.points.map(\.value) == [19, 23] && raw.unitOfMeasurement == "°C" && raw.nextFrom == nil)
            let hours = try await cardea.readings.history(
                of: "hall-sensor", entityID: "sensor.hall", from: from, to: to.addingTimeInterval(3600), resolution: .hour)
            #expect(hours.points.map(\.mean) == [21])
            #expect(try await cardea.readings.environment(from: from, to: to).readings.first?.value == 23)
            #expect(try await cardea.readings.energy(from: from, to: to).readings.allSatisfy { $0.energy == nil })
        }
    }

    @Test("A long history is fetched over several pages")
    func longHistory() async throws {
        try await signedIn { house, cardea in
            for number in 0..<2005 {
                // Faster values are not stored.
                house.clock.advance(by: 10)
                try await house.doorBackend.report(String(number), at: "sensor.hall")
            }
            house.clock.advance(by: 1)

            let raw = try await cardea.readings.history(
                of: "hall-sensor", from: house.clock.now.addingTimeInterval(-86_400), to: house.clock.now, resolution: .raw)

            #expect(raw.points.count == 2005 && raw.points.last?.value == 2004)
            #expect(Set(raw.points.map(\.at)).count == 2005, "none of them comes twice")
        }
    }

    @Test("API tokens are created, listed without secrets and revoked; all sessions end at once")
    func tokensAndSessions() async throws {
        try await HubTransport.router.run { house, cardea, client in
            try await house.claim()
            try await cardea.sessions.login(username: "owner", password: TestHouse.password)
            let made = try await cardea.apiTokens.create(
                MakeAPITokenBody(name: "Display", grants: [GrantBody(deviceID: "hall-light", actions: ["read", "on"])]))
            let token = try #require(made.token)
            let listed = try await cardea.apiTokens.list()
            #expect(listed.total == 1 && listed.tokens.first?.token == nil && listed.tokens.first?.name == "Display")
            let ask = TestAPIClient(client: client, token: Secret(token))
            #expect(try await ask(.get, "/api/v1/devices").status == 200)
            try await cardea.apiTokens.revoke(made.tokenID)
            #expect(try await ask(.get, "/api/v1/devices").status == 401)

            let other = CardeaClient(hub: try HubAddress("http://localhost"), transport: RouterTransport(client))
            try await other.sessions.login(username: "owner", password: TestHouse.password)
            // The claim's own session and the other terminal's.
            #expect(try await cardea.sessions.endOthers() == 2)
            await #expect(throws: ClientError.self) { try await other.people.me() }
            #expect(try await cardea.sessions.open().count == 1)
        }
    }
}

/// A transport on which another writer is faster: their write arrives before our first one.
private final class ConflictingWriteTransport: Transport {
    private let base: RouterTransport
    private let conflictingWrite: @Sendable () async -> Void

    init(_ line: RouterTransport, _ meanwhile: @escaping @Sendable () async -> Void) {
        self.base = line
        self.conflictingWrite = meanwhile
    }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { try await base.open(request) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if request.method == .put { await conflictingWrite() }
        return try await base.send(request)
    }
}
