import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@Suite("MQTT announcements API", .timeLimit(.minutes(5)))
struct MQTTAnnouncementsAPITests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let topic = "homeassistant/humidifier/den/config"
    private static let omission = AnnouncementReport.Omission(
        topic: topic, component: "humidifier", reason: "The hub does not show humidifiers.", device: "Dryer")

    /// An integration with one camera and one announcement that it does not understand.
    private struct StubBroker: DeviceBackend {
        let integration = "mqtt"

        func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "nothing here moves") }
        func refresh(entityID: String) async {}
        func health() async -> IntegrationHealth { IntegrationHealth(status: .connected, since: .distantPast) }

        func picture(of entityID: String) async -> EntityPicture? {
            entityID == "image.yard" ? EntityPicture(bytes: MQTTAnnouncementsAPITests.png, contentType: "image/png", at: .distantPast) : nil
        }

        func announcements() async -> AnnouncementReport? {
            AnnouncementReport(
                devices: [
                    .init(
                        deviceID: "yard", name: "Yard",
                        entities: [.init(entityID: "image.yard", component: "camera", topic: "homeassistant/camera/yard/config")])
                ], omissions: [MQTTAnnouncementsAPITests.omission])
        }

        func announcement(at topic: String) async -> String? {
            topic == MQTTAnnouncementsAPITests.topic ? #"{"code":"•••"}"# : nil
        }
    }

    private struct StubIntegrationFactory: IntegrationFactory {
        let integration = "mqtt"

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration {
            throw IntegrationSettingsError(field: "mqtt", message: "is not connected in this test")
        }

        func server(_ settings: Data) -> String? { nil }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }

        func check(announcement: String, at topic: String?) throws -> AnnouncementCheck? {
            guard let topic else { throw IntegrationSettingsError(field: "topic", message: "is missing") }
            let lock = Entity(id: "lock.x", kind: .lock, name: "Door", verbs: [.lock, .unlock])
            return AnnouncementCheck(
                entities: [.init(entity: lock, device: "Front door", reads: [topic], writes: [announcement])],
                omissions: [MQTTAnnouncementsAPITests.omission])
        }
    }

    private func withBroker(_ body: @escaping @Sendable (TestHouse, TestAPIClient) async throws -> Void) async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            house.hub.integrations.register(StubIntegrationFactory())
            house.hub.integrations.add(StubBroker())
            try await body(house, TestAPIClient(client: client, token: tokens.access))
        }
    }

    @Test("The page lists announced devices and the parts not understood")
    func list() async throws {
        try await withBroker { _, ask in
            let answer = try await ask(.get, "/api/v1/integrations/mqtt")

            #expect(answer.status == 200 && answer.body["status"] == "connected")
            #expect(
                answer.body["announced"] == [
                    [
                        "device_id": "yard", "name": "Yard",
                        "entities": [["entity_id": "image.yard", "component": "camera", "topic": "homeassistant/camera/yard/config"]],
                    ]
                ])
            #expect(
                answer.body["not_understood"] == [
                    [
                        "topic": .string(Self.topic), "component": "humidifier", "reason": "The hub does not show humidifiers.",
                        "device": "Dryer",
                    ]
                ])
            #expect(answer.body["has_more_not_understood"] == false)
        }
    }

    @Test("An announcement is shown with secrets masked, and an unknown one is 404")
    func announcement() async throws {
        try await withBroker { _, ask in
            let shown = try await ask(.get, "/api/v1/integrations/mqtt/announcement?topic=homeassistant%2Fhumidifier%2Fden%2Fconfig")
            #expect(shown.status == 200 && shown.body["announcement"] == #"{"code":"•••"}"#)
            #expect(shown.body["topic"] == .string(Self.topic))
            #expect(try await ask(.get, "/api/v1/integrations/mqtt/announcement?topic=other").status == 404)
            #expect(try await ask(.get, "/api/v1/integrations/mqtt/announcement").code == "validation_error")
        }
    }

    @Test("An announcement is checked without a broker")
    func check() async throws {
        try await withBroker { _, ask in
            let path = "/api/v1/integrations/mqtt/check-announcement"
            let checked = try await ask(.post, path, #"{"announcement":"w","topic":"r"}"#)
            #expect(checked.status == 200)
            #expect(
                checked.body["entities"] == [
                    [
                        "entity_id": "lock.x", "kind": "lock", "name": "Door", "device": "Front door", "actions": ["lock", "unlock"],
                        "reads": ["r"], "writes": ["w"],
                    ]
                ])
            #expect(checked.body["not_understood"]?.array.count == 1)

            let missing = try await ask(.post, path, #"{"announcement":"w"}"#)
            #expect(missing.status == 400 && missing.body["error"]?["details"]?["field"] == "topic")
        }
    }

    @Test("The last picture of an image entity is served with `no-store`, and only for its own device")
    func picture() async throws {
        try await withBroker { house, ask in
            try await house.hub.devices.announce(
                Device(
                    id: "yard", name: "Yard", deviceClass: .other, integration: "mqtt", stateChangedAt: house.clock.now,
                    entities: [
                        Entity(id: "image.yard", kind: .image, name: "Yard", verbs: []),
                        Entity(id: "image.attic", kind: .image, name: "Attic", verbs: []),
                    ]))
            let answer = try await ask.client.executeRequest(
                uri: "/api/v1/devices/yard/entities/image.yard/picture", method: .get,
                headers: [.authorization: "Bearer \(ask.token.reveal())"], body: nil)

            #expect(answer.status == .ok && answer.headers[.contentType] == "image/png" && answer.headers[.cacheControl] == "no-store")
            #expect([UInt8](Data(buffer: answer.body)) == Self.png)
            for (path, code) in [
                ("yard/entities/image.attic", "not_found"), ("front-door/entities/image.yard", "not_found"),
                ("nowhere/entities/image.yard", "device_not_found"),
            ] {
                let missing = try await ask(.get, "/api/v1/devices/\(path)/picture")
                #expect(missing.status == 404 && missing.code == code, "\(path)")
            }
        }
    }
}
