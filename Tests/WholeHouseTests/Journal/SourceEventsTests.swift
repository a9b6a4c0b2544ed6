import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

/// The events that the source contract's client hears on `/api/v1/realtime` after its `init`, over a real socket.
@Suite("The source contract's client hears the house", .serialized, .timeLimit(.minutes(5)))
struct SourceEventsTests {
    private static let hello = #"{"type":"init","data":{"subscriptions":["consciousness","devices","interview","safla"]}}"#

    private static func report(_ entity: String, _ state: EntityState) -> EntityReport { EntityReport(entityID: entity, state: state) }

    @Test("After init it hears the document's events alone, with devices as the document types them")
    func told() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.served { port in
                let client = try await NIOListener.connect(port, token: tokens.access)
                client.say(Self.hello)
                try await client.heard.until("init is answered") { $0.count("init_complete") == 1 }
                // Nothing is missed once the answer is there.
                try await house.hub.devices.report([Self.report("light.hall", EntityState("on", attributes: ["brightness": 70]))])
                try await client.heard.until("the light is heard") { $0.count("device_update") == 1 }
                try await house.hub.devices.report([
                    Self.report("light.hall", EntityState("off", attributes: ["brightness": 70])),
                    Self.report("sensor.hall", EntityState("22")),
                ])
                try await client.heard.until("both are heard together") { $0.count("batch_device_update") == 1 }
                await house.mind.look(isAsked: true)
                try await client.heard.until("how the house is is heard") { $0.count("status_update") >= 1 }
                try await house.hub.devices.withdraw(deviceID: "back-door", integration: "scripted")
                try await client.heard.until("a door is gone") { $0.count("device_removed") == 1 }
                client.say(#"{"type":"ping"}"#)
                client.say(#"{"type":"sing"}"#)
                client.say("[]")
                let heard = try await client.heard.until("all is answered") { $0.count("pong") == 1 && $0.count("error") == 2 }

                for message in heard.messages {
                    #expect(Set(message.members.keys) == ["type", "data", "timestamp"])
                    _ = try Document.read(Document.WebSocketEvent.self, from: message)
                    #expect(AsyncContract.problems(ofFrame: message, isAfterInit: true) == [])
                }
                func data(_ type: String) -> JSONValue? { heard.messages.first { $0["type"]?.string == type }?["data"] }
                #expect(data("init_complete")?["subscriptions"] == ["consciousness", "devices", "interview"])
                let light = try Document.read(Document.DeviceDTO.self, from: try #require(data("device_update")?["device"]))
                #expect(light.id == "hall-light" && light.currentState.power == .on && light.currentState.brightness == 70)
                let both = try (data("batch_device_update")?["devices"]?.array ?? []).map { one in
                    try Document.read(Document.DeviceDTO.self, from: one["device"] ?? .null)
                }
                #expect(Set(both.map(\.id)) == ["hall-light", "hall-sensor"])
                #expect(both.contains { $0.currentState.temperature?.current == 22 })
                #expect(data("status_update")?["awareness_level"] != nil && data("device_removed") == ["device_id": "back-door"])
            }
        }
    }

    @Test("It hears what it named, and whoever says subscribe afterwards hears today's events")
    func choice() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.served { port in
                let client = try await NIOListener.connect(port, token: tokens.access)
                client.say(#"{"type":"init","data":{"subscriptions":["interview"]}}"#)
                try await client.heard.until("init is answered") { $0.count("init_complete") == 1 }
                try await house.hub.devices.report([Self.report("light.hall", EntityState("on"))])
                client.say(#"{"type":"init"}"#)
                try await client.heard.until("init is answered again") { $0.count("init_complete") == 2 }
                try await house.hub.devices.report([Self.report("sensor.hall", EntityState("23"))])
                let heard = try await client.heard.until("the sensor is heard") { $0.count("device_update") == 1 }
                #expect(heard.messages.first { $0["type"] == "device_update" }?["data"]?["device_id"] == "hall-sensor")

                try await client.subscribe()
                #expect(client.heard.now.snapshot?["devices"]?.array.first?["id"] == nil)
                try await house.hub.devices.report([Self.report("sensor.hall", EntityState("24"))])
                let today = try await client.heard.until("the sensor is heard in today's form") { !$0.events.isEmpty }
                #expect(today.events.first?["data"]?["device_id"] == "hall-sensor" && today.events.first?["data"]?["id"] == nil)
            }
        }
    }

    @Test("Who has shown no token is turned away, a ticket is as good as one, and a guest hears of their door until the pass ends")
    func rights() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let guest = try await house.guest(house.draft(), by: owner)
            let ticket = try house.hub.tickets.issue(to: Credential(owner, by: nil))
            try await house.served { port in
                let stranger = try await NIOListener.connect(port)
                stranger.say(#"{"type":"init","data":{"auth_token":"Bearer x"}}"#)
                try await stranger.heard.until("a stranger is turned away") { $0.goodbye == 4401 }

                let resident = try await NIOListener.connect(port)
                resident.say(#"{"type":"init","ticket":"\#(ticket.reveal())"}"#)
                let phone = try await NIOListener.connect(port, token: guest.token)
                phone.say(Self.hello)
                for client in [resident, phone] {
                    try await client.heard.until("init is answered") { $0.count("init_complete") == 1 }
                }
                try await house.hub.devices.report([Self.report("lock.back_door", EntityState("unlocked"))])
                try await house.hub.devices.report([Self.report("lock.front_door", EntityState("unlocked"))])
                let told = try await phone.heard.until("the guest hears of their door") { $0.count("device_update") == 1 }
                let door = try Document.read(Document.DeviceDTO.self, from: told.messages.last?["data"]?["device"] ?? .null)
                #expect(door.id == "front-door" && door.currentState.locked == false && door.currentState.customAttributes == [:])
                // What the hub reads at once is told at once.
                try await resident.heard.until("the owner hears of both") {
                    $0.count("device_update") == 2 || $0.count("batch_device_update") == 1
                }

                _ = try await house.hub.guests.decide(.revoke, guest.id, by: owner, origin: .house)
                try await phone.heard.until("the guest is let go") { $0.goodbye == 4401 }
            }
        }
    }
}
