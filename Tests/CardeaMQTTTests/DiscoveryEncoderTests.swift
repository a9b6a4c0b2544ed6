import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Home Assistant discovery messages")
struct DiscoveryEncoderTests {
    private let encoder = DiscoveryEncoder(prefix: "homeassistant", houseID: "0123-4567-89ab-cdef", showsLastVisitor: true)

    private func lock(_ state: String = "locked", verbs: Set<Verb> = [.lock, .unlock], status: DeviceStatus = .online)
        -> HomeAssistantExport.Lock
    {
        let entity = Entity(id: "lock.front_door", kind: .lock, name: "Front door", verbs: verbs, state: EntityState(state))
        let device = Device(
            id: "front-door", name: "Front door", deviceClass: .security, integration: "virtual", manufacturer: "Acme", status: status,
            stateChangedAt: Date(timeIntervalSince1970: 0), entities: [entity])
        return HomeAssistantExport.Lock(device: device, entity: entity, room: "Hall")
    }

    private func view(_ locks: [HomeAssistantExport.Lock]) -> HomeAssistantExport.Snapshot {
        HomeAssistantExport.Snapshot(
            houseID: "0123-4567-89ab-cdef", houseName: "Lime House", locks: locks, passesInUse: 2, lastVisitor: nil)
    }

    private func config(_ topic: String, _ messages: [String: String]) throws -> JSONValue {
        let text = try #require(messages[topic])
        return try #require(JSONValue.read(Array(text.utf8)))
    }

    @Test("A lock's announcement has its command and state topics, a house prefix and the hub's origin")
    func config() throws {
        let messages = encoder.messages(view([lock()]))

        let config = try config("homeassistant/lock/cardea_0123456789ab/lock_front_door/config", messages)
        #expect(config["unique_id"] == "cardea_0123456789ab_lock_front_door" && config["name"] == .null)
        #expect(config["command_topic"] == "cardea/0123456789ab/lock_front_door/set" && config["retain"] == false)
        #expect(config["device"]?["suggested_area"] == "Hall" && config["device"]?["via_device"] == "cardea_0123456789ab")
        #expect(config["payload_open"] == nil && config["origin"]?["name"] == "Cardea" && config["availability_mode"] == "all")
        #expect(messages["cardea/0123456789ab/lock_front_door/state"] == "LOCKED")
        #expect(messages["cardea/0123456789ab/lock_front_door/available"] == "online")
        #expect(messages["cardea/0123456789ab/passes/state"] == "2" && messages["cardea/0123456789ab/last_visitor/state"] == "None")
        #expect(messages.keys.allSatisfy { encoder.isOurs($0) })
        // Our announcements are never imported, by this house or by another one.
        for (topic, text) in messages {
            guard let topic = DiscoveryTopic(topic, prefix: "homeassistant") else { continue }
            let read = try DiscoveryParser.read(Array(text.utf8), at: topic)
            #expect(read.entities.isEmpty && read.omissions.isEmpty)
        }
    }

    @Test(
        "A lock publishes its known state, and unlatch is offered only where a latch exists",
        arguments: [
            ("unlocked", "UNLOCKED"), ("jammed", "JAMMED"), ("locking", "LOCKING"), ("unlocking", "UNLOCKING"), ("open", "UNLOCKED"),
            ("unknown", "None"),
        ])
    func words(_ state: String, _ word: String) throws {
        let messages = encoder.messages(view([lock(state, verbs: [.lock, .unlock, .open], status: .offline)]))

        #expect(messages["cardea/0123456789ab/lock_front_door/state"] == word)
        #expect(messages["cardea/0123456789ab/lock_front_door/available"] == "offline")
        #expect(try config("homeassistant/lock/cardea_0123456789ab/lock_front_door/config", messages)["payload_open"] == "OPEN")
    }

    @Test(
        "A lock of unknown state is unavailable and publishes no old state",
        arguments: [DeviceStatus.online, .unknown, .offline, .error])
    func notKnown(_ status: DeviceStatus) {
        let known = lock("unknown", status: status)
        var entity = known.entity
        entity.lastReport = LastReport(EntityState("locked"), at: Date(timeIntervalSince1970: 0))
        let messages = encoder.messages(view([HomeAssistantExport.Lock(device: known.device, entity: entity, room: nil)]))

        #expect(messages["cardea/0123456789ab/lock_front_door/state"] == "None")
        #expect(messages["cardea/0123456789ab/lock_front_door/available"] == "offline")
        #expect(!messages.values.contains("LOCKED"))
        // A lock that has never reported is available.
        let available = encoder.messages(view([known]))["cardea/0123456789ab/lock_front_door/available"]
        #expect(available == (status == .online ? "online" : "offline"))
    }

    @Test("The contract lists every published field and every command topic")
    func promised() throws {
        let states = ["locked", "unlocked", "locking", "unlocking", "jammed", "open", "unknown"]
        let locks = states.flatMap { [lock($0), lock($0, verbs: [.lock, .unlock, .open], status: .offline)] }
        let double = Device(
            id: "gate", name: "Gate", deviceClass: .security, integration: "virtual", model: "G2",
            stateChangedAt: Date(timeIntervalSince1970: 0),
            entities: ["left", "right"].map { Entity(id: "lock.\($0)", kind: .lock, name: $0, verbs: [.lock, .unlock]) })
        let doubled = double.entities.map { HomeAssistantExport.Lock(device: double, entity: $0, room: nil) }
        let named = HomeAssistantExport.Snapshot(
            houseID: "0123-4567-89ab-cdef", houseName: "Lime House", locks: doubled, passesInUse: 0, lastVisitor: "Plumber")
        for said in locks.map({ encoder.messages(view([$0])) }) + [encoder.messages(named)] {
            for (topic, text) in said {
                #expect(AsyncAPIValidator.problems(ofMessage: text, at: topic, .send) == [])
                // Withdrawn, it is empty.
                #expect(AsyncAPIValidator.problems(ofMessage: "", at: topic, .send) == [])
            }
        }

        let set = "cardea/0123456789ab/lock_front_door/set"
        for word in ["LOCK", "UNLOCK", "OPEN"] {
            let text = #"{"do":"\#(word)","at":1800000000}"#
            #expect(AsyncAPIValidator.problems(ofMessage: text, at: set, .receive) == [])
            #expect(
                try HomeAssistantLockRequest(text, isRetained: false, now: Date(timeIntervalSince1970: 1_800_000_000)).verb.rawValue
                    == word.lowercased()
            )
        }
        for text in ["UNLOCK", "{}", #"{"do":"UNLOCK"}"#, #"{"do":"unlock","at":1}"#, #"{"do":"UNLOCK","at":"now"}"#, ""] {
            #expect(AsyncAPIValidator.problems(ofMessage: text, at: set, .receive) != [], "\(text)")
        }
        #expect(AsyncAPIValidator.problems(ofMessage: #"{"do":"LOCK","at":1}"#, at: set, .send) != [])
        #expect(AsyncAPIValidator.problems(ofMessage: "1", at: "cardea/0123456789ab/lock_front_door/else") != [])
        for word in ["online", "offline"] { #expect(AsyncAPIValidator.problems(ofMessage: word, at: "cardea/status", .send) == []) }
    }

    @Test("The last user is published only if the owner allows it")
    func lastVisitor() {
        let quiet = DiscoveryEncoder(prefix: "homeassistant", houseID: "0123-4567-89ab-cdef", showsLastVisitor: false)

        #expect(quiet.messages(view([lock()])).keys.allSatisfy { !$0.contains("last_visitor") })
        // It is recognised as ours all the same, so that it is withdrawn where it was announced before.
        #expect(quiet.isOurs("cardea/0123456789ab/last_visitor/state"))
        #expect(quiet.isOurs("homeassistant/sensor/cardea_0123456789ab/last_visitor/config"))
        #expect(!quiet.isOurs("cardea/0123456789ab/lock_front_door/set") && !quiet.isOurs("homeassistant/lock/cardea_other/x/config"))
        #expect(!quiet.isOurs("cardea/status") && !quiet.isOurs("homeassistant/lock/back_door/config"))
    }

    @Test("A command names its lock")
    func topics() {
        let view = view([lock()])
        #expect(encoder.lock(at: "cardea/0123456789ab/lock_front_door/set", in: view)?.device.id == "front-door")
        #expect(encoder.lock(at: "cardea/0123456789ab/lock_back_door/set", in: view) == nil)
        #expect(encoder.lock(at: "cardea/other/lock_front_door/set", in: view) == nil)
    }

    @Test("Retained, late, wrongly timed and empty messages are no commands")
    func requests() throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func problem(_ text: String, isRetained: Bool = false) -> HomeAssistantLockRequest.RequestError? {
            do throws(HomeAssistantLockRequest.RequestError) {
                _ = try HomeAssistantLockRequest(text, isRetained: isRetained, now: now)
                return nil
            } catch { return error }
        }
        let request = try HomeAssistantLockRequest(#"{"do":"UNLOCK","at":1799999995.25}"#, isRetained: false, now: now)
        #expect(request.verb == .unlock && request.name == "UNLOCK@1799999995.25")
        #expect(problem(#"{"do":"OPEN","at":1800000009}"#) == nil && problem(#"{"do":"LOCK","at":1799999990}"#) == nil)
        #expect(problem(#"{"do":"UNLOCK","at":1800000000}"#, isRetained: true) == .kept)
        for at in ["1799999989", "1800000011", "0", "-1e300", "1e300"] { #expect(problem(#"{"do":"UNLOCK","at":\#(at)}"#) == .late) }
        for text in [
            "UNLOCK", "", "{}", #"{"do":"UNLOCK"}"#, #"{"do":"unlock","at":1800000000}"#, #"{"do":"UNLOCK","at":"now"}"#, "[1]",
            #"{"do":"UNLOCK","at":1800000000,"more":"\#(String(repeating: "x", count: 300))"}"#,
        ] {
            #expect(problem(text) == .unreadable, "\(text.prefix(40))")
        }
    }
}
