import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

/// The events that the source contract's client receives on `/api/v1/realtime` after its `init`, over a real socket.
@Suite("Realtime in the source contract's format", .serialized, .timeLimit(.minutes(5)))
struct SourceFormatRealtimeTests {
    private static let initMessage = #"{"type":"init","data":{"subscriptions":["consciousness","devices","interview","safla"]}}"#

    private static func report(_ entity: String, _ state: EntityState) -> EntityReport { EntityReport(entityID: entity, state: state) }

    @Test("After init only the document's events arrive, with devices in the document's types")
    func told() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.withServer { port in
                let client = try await NIOWebSocketClient.connect(port, token: tokens.access)
                client.send(Self.initMessage)
                try await client.received.waitUntil("init is answered") { $0.count("init_complete") == 1 }
                // After the answer no event is missed.
                try await house.hub.devices.report([Self.report("light.hall", EntityState("on", attributes: ["brightness": 70]))])
                try await client.received.waitUntil("the light is heard") { $0.count("device_update") == 1 }
                try await house.hub.devices.report([
                    Self.report("light.hall", EntityState("off", attributes: ["brightness": 70])),
                    Self.report("sensor.hall", EntityState("22")),
                ])
                try await client.received.waitUntil("both are heard together") { $0.count("batch_device_update") == 1 }
                await house.mind.poll(isAsked: true)
                try await client.received.waitUntil("how the house is is heard") { $0.count("status_update") >= 1 }
                try await house.hub.devices.withdraw(deviceID: "back-door", integration: "scripted")
                try await client.received.waitUntil("a door is gone") { $0.count("device_removed") == 1 }
                client.send(#"{"type":"ping"}"#)
                client.send(#"{"type":"sing"}"#)
                client.send("[]")
                let heard = try await client.received.waitUntil("all is answered") { $0.count("pong") == 1 && $0.count("error") == 2 }

                for message in heard.messages {
                    #expect(Set(message.members.keys) == ["type", "data", "timestamp"])
                    _ = try SourceDocument.read(SourceDocument.WebSocketEvent.self, from: message)
                    #expect(AsyncAPIValidator.problems(ofFrame: message, isAfterInit: true) == [])
                }
                func data(_ type: String) -> JSONValue? { heard.messages.first { $0["type"]?.string == type }?["data"] }
                #expect(data("init_complete")?["subscriptions"] == ["consciousness", "devices", "interview"])
                let light = try SourceDocument.read(SourceDocument.DeviceDTO.self, from: try #require(data("device_update")?["device"]))
                #expect(light.id == "hall-light" && light.currentState.power == .on && light.currentState.brightness == 70)
                let both = try (data("batch_device_update")?["devices"]?.array ?? []).map { one in
                    try SourceDocument.read(SourceDocument.DeviceDTO.self, from: one["device"] ?? .null)
                }
                #expect(Set(both.map(\.id)) == ["hall-light", "hall-sensor"])
                #expect(both.contains { $0.currentState.temperature?.current == 22 })
                #expect(data("status_update")?["awareness_level"] != nil && data("device_removed") == ["device_id": "back-door"])
            }
        }
    }

    @Test("The client gets the events it named, and a later subscribe switches to the default format")
    func choice() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.withServer { port in
                let client = try await NIOWebSocketClient.connect(port, token: tokens.access)
                client.send(#"{"type":"init","data":{"subscriptions":["interview"]}}"#)
                try await client.received.waitUntil("init is answered") { $0.count("init_complete") == 1 }
                try await house.hub.devices.report([Self.report("light.hall", EntityState("on"))])
                client.send(#"{"type":"init"}"#)
                try await client.received.waitUntil("init is answered again") { $0.count("init_complete") == 2 }
                try await house.hub.devices.report([Self.report("sensor.hall", EntityState("23"))])
                let heard = try await client.received.waitUntil("the sensor is heard") { $0.count("device_update") == 1 }
                #expect(heard.messages.first { $0["type"] == "device_update" }?["data"]?["device_id"] == "hall-sensor")

                try await client.subscribe()
                #expect(client.received.now.snapshot?["devices"]?.array.first?["id"] == nil)
                try await house.hub.devices.report([Self.report("sensor.hall", EntityState("24"))])
                let today = try await client.received.waitUntil("the sensor is heard in today's form") { !$0.events.isEmpty }
                #expect(today.events.first?["data"]?["device_id"] == "hall-sensor" && today.events.first?["data"]?["id"] == nil)
            }
        }
    }

    @Test("Without a token the socket closes with 4401; a ticket works, and a guest sees only their door")
    func rights() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let guest = try await house.guest(house.draft(), by: owner)
            let ticket = try house.hub.realtimeTickets.issue(to: Credential(owner, by: nil))
            try await house.withServer { port in
                let stranger = try await NIOWebSocketClient.connect(port)
                stranger.send(#"{"type":"init","data":{"auth_token":"Bearer x"}}"#)
                try await stranger.received.waitUntil("a stranger is turned away") { $0.closeCode == 4401 }

                let resident = try await NIOWebSocketClient.connect(port)
                resident.send(#"{"type":"init","ticket":"\#(ticket.reveal())"}"#)
                let phone = try await NIOWebSocketClient.connect(port, token: guest.token)
                phone.send(Self.initMessage)
                for client in [resident, phone] {
                    try await client.received.waitUntil("init is answered") { $0.count("init_complete") == 1 }
                }
                try await house.hub.devices.report([Self.report("lock.back_door", EntityState("unlocked"))])
                try await house.hub.devices.report([Self.report("lock.front_door", EntityState("unlocked"))])
                let told = try await phone.received.waitUntil("the guest hears of their door") { $0.count("device_update") == 1 }
                let door = try SourceDocument.read(SourceDocument.DeviceDTO.self, from: told.messages.last?["data"]?["device"] ?? .null)
                #expect(door.id == "front-door" && door.currentState.locked == false && door.currentState.customAttributes == [:])
                // Changes read together are sent together.
                try await resident.received.waitUntil("the owner hears of both") {
                    $0.count("device_update") == 2 || $0.count("batch_device_update") == 1
                }

                _ = try await house.hub.guests.decide(.revoke, guest.id, by: owner, origin: .house)
                try await phone.received.waitUntil("the guest is let go") { $0.closeCode == 4401 }
            }
        }
    }
}
