import CardeaHub
import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

/// Messages to a client of the source contract: `{type, data, timestamp}` only.
@Suite("Source client over WebSocket", .timeLimit(.minutes(10)))
struct SourceRealtimeTests {
    private static let initial = #"{"type":"init","data":{"subscriptions":["consciousness","devices","interview"]}}"#

    private static let moves: Set = ["device_update", "batch_device_update"]

    /// Returns once the subscriber receives device events: that may begin a moment after its greeting.
    private static func waitForDeviceEvents(_ listener: NIOWebSocketClient, _ house: TestHouse) async throws {
        var looks = 0
        try await waitUntil("devices are told of") {
            // Reported only now and then: concurrent changes are sent together.
            if looks % 100 == 0 { try await house.doorBackend.report(looks % 200 == 0 ? "unlocked" : "locked", at: "lock.front_door") }
            looks += 1
            return listener.received.now.messages.contains { moves.contains($0["type"]?.string ?? "") }
        }
    }

    /// Triggers each kind of event, and decodes each by the document's types.
    private static func checkAllEvents(_ listener: NIOWebSocketClient, _ house: TestHouse, _ source: SourceClient) async throws {
        listener.send(initial)
        try await listener.received.waitUntil("init is complete") { $0.count("init_complete") == 1 }
        try await waitForDeviceEvents(listener, house)

        let query = SourceTypes.ConsciousnessQueryRequest(query: "Is the front door locked?", context: nil, includeDevices: true)
        let said: SourceTypes.ConsciousnessQueryResponse = try await source.post("/consciousness/query", query)
        let begun: SourceTypes.InterviewStartResponse = try await source.post(
            "/interview/start", SourceTypes.InterviewStartRequest(houseId: "here"))
        let _: SourceTypes.InterviewMessageResponse = try await source.post(
            "/interview/\(begun.interviewId)/message", SourceTypes.InterviewMessageRequest(message: "There is a fan in the study."))
        await house.mind.poll(isAsked: true)
        let kinds = ["consciousness_query", "interview_update", "status_update"]
        let heard = try await listener.received.waitUntil("all is told") { heard in kinds.allSatisfy { heard.count($0) > 0 } }

        let told = heard.messages.drop { $0["type"] != "init_complete" }
        #expect(told.allSatisfy { Set($0.members.keys) == ["type", "data", "timestamp"] })
        let events = try told.map { try SourceClient.decode(SourceTypes.WebSocketEvent.self, $0) }
        let greeting = try #require(events.first { $0.type == "init_complete" })
        #expect(Set(greeting.data["subscriptions"]?.array ?? []) == ["consciousness", "devices", "interview"])
        let asked = try #require(events.first { $0.type == "consciousness_query" })
        #expect(asked.data["query"] == .string(query.query) && asked.data["response"] == .string(said.response))
        let moved = try #require(events.first { moves.contains($0.type) })
        let move = moved.data["devices"]?.array.first ?? .object(moved.data)
        let device = try SourceClient.decode(SourceTypes.DeviceDTO.self, move["device"] ?? .null)
        let state = try SourceClient.decode(SourceTypes.DeviceState.self, .object(device.currentState))
        #expect(move["device_id"] == "front-door" && device.id == "front-door" && state.locked != nil)
        let talk = try #require(events.first { $0.type == "interview_update" })
        #expect(talk.data["interview_id"] == .string(begun.interviewId) && talk.data["current_phase"]?.string != nil)
        // The document does not define the hub's status of its other parts.
        guard source.isDemo else { return }
        let status = try #require(events.first { $0.type == "status_update" })
        _ = try SourceClient.decode(SourceTypes.ConsciousnessStatusResponse.self, .object(status.data))
    }

    @Test("The demo's /ws sends mind, device and interview events")
    func demo() async throws {
        try await SourceDemoHouse.run(.live) { house, _, client in
            let listener = try await NIOWebSocketClient.connect(try #require(client.port), path: "/ws")
            try await Self.checkAllEvents(listener, house, SourceClient(client: client, base: "/api"))
            try await listener.abort()
        }
    }

    @Test("/v1/realtime sends the same after init on a connection authenticated by header")
    func hub() async throws {
        try await HubTransport.live.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let listener = try await NIOWebSocketClient.connect(try #require(client.port), token: tokens.access, path: "/v1/realtime")
            try await Self.checkAllEvents(listener, house, SourceClient(client: client, base: "/v1", token: tokens.access))
            try await listener.abort()
        }
    }

    @Test("The demo's init limits events to the named ones")
    func subscriptions() async throws {
        try await SourceDemoHouse.run(.live) { house, _, client in
            let source = SourceClient(client: client, base: "/api")
            let listener = try await NIOWebSocketClient.connect(try #require(client.port), path: "/ws")
            try await Self.waitForDeviceEvents(listener, house)
            listener.send(#"{"type":"init","data":{"subscriptions":["interview","safla","nonsense"],"auth_token":"Bearer x"}}"#)
            let greeted = try await listener.received.waitUntil("init is complete") { $0.count("init_complete") == 1 }
            #expect(greeted.messages.first { $0["type"] == "init_complete" }?["data"]?["subscriptions"] == ["interview"])

            try await house.doorBackend.report("unlocked", at: "lock.back_door")
            let _: SourceTypes.ConsciousnessQueryResponse = try await source.post(
                "/consciousness/query",
                SourceTypes.ConsciousnessQueryRequest(query: "Is the front door locked?", context: nil, includeDevices: true))
            let begun: SourceTypes.InterviewStartResponse = try await source.post(
                "/interview/start", SourceTypes.InterviewStartRequest(houseId: "here"))
            let _: SourceTypes.InterviewMessageResponse = try await source.post(
                "/interview/\(begun.interviewId)/message", SourceTypes.InterviewMessageRequest(message: "There is a fan in the study."))
            let heard = try await listener.received.waitUntil("the interview is told of") { $0.count("interview_update") > 0 }
            // In the journal the door and the question come before the interview.
            #expect(!"\(heard.messages)".contains("back-door"))
            #expect(heard.count("consciousness_query") == 0)
            listener.send(#"{"type":"ping"}"#)
            try await listener.received.waitUntil("it answers") { $0.count("pong") == 1 }
            try await listener.abort()
        }
    }
}
