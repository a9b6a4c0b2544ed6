import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Coding of automations")
struct AutomationCodingTests {
    private struct Parts: Codable, Hashable {
        var triggers: [AutomationTrigger]
        var conditions: [AutomationCondition]
        var actions: [AutomationAction]
    }

    private let text = """
        {"triggers":[{"type":"state","entity_id":"lock.back","to":"unlocked","for_seconds":600},
        {"type":"state","entity_id":"lock.back","to":"jammed"},{"type":"number","entity_id":"sensor.hall","above":25.5},
        {"type":"number","entity_id":"sensor.hall","below":-3},{"type":"presence","change":"last_leaves"},
        {"type":"presence","change":"arrives","person_id":"p1"},{"type":"time","at":"22:30","weekdays":["fri","mon"]},
        {"type":"time","at":"06:00"},{"type":"seen","event_type":"person","camera_id":null},
        {"type":"refused"},{"type":"refused","device_id":"back-door"},{"type":"offline","device_id":"boiler"}],
        "conditions":[{"type":"all","conditions":[{"type":"state","entity_id":"light.hall","is":"on"},
        {"type":"any","conditions":[{"type":"time","from":"22:00","to":"06:00"},{"type":"not","condition":{"type":"home","who":"nobody"}}]}]},
        {"type":"weekdays","weekdays":["sat","sun"]}],
        "actions":[{"type":"control","device_id":"back-door","action":"lock"},
        {"type":"control","device_id":"hall","entity_id":"light.hall","action":"setBrightness","value":30},
        {"type":"scene","scene_id":"scene_1"},{"type":"notify","words":"Everybody has left."},
        {"type":"notify","words":"Good morning","to":"residents"}]}
        """

    @Test("An automation decodes as written and survives re-encoding")
    func roundTrip() throws {
        let sheet = try JSONDecoder().decode(Parts.self, from: Data(text.utf8))
        let again = try JSONDecoder().decode(Parts.self, from: try JSONEncoder().encode(sheet))

        #expect(sheet == again && sheet.triggers.count == 12)
        #expect(sheet.triggers[0] == .state(entityID: "lock.back", to: "unlocked", seconds: 600))
        #expect(sheet.triggers[7] == .time(at: try #require(TimeOfDay("06:00")), weekdays: Set(Weekday.allCases)))
        #expect(sheet.actions[1] == .control(DeviceAction(deviceID: "hall", entityID: "light.hall", verb: .setBrightness, value: 30)))
        #expect(sheet.actions[3] == .notify(words: "Everybody has left.", to: .owner))
        #expect(sheet.conditions.reduce(into: Set<String>()) { $0.formUnion($1.entities) } == ["light.hall"])
        let written = String(decoding: try JSONEncoder().encode(sheet), as: UTF8.self)
        #expect(written.contains(#""camera_id":null"#) && !written.contains(#""person_id":null"#) && !written.contains("\"above\":null"))
    }

    @Test(
        "An invalid trigger is rejected by field",
        arguments: [
            (#"{"type":"ring"}"#, "type"), (#"{"type":"state","to":"x"}"#, "entity_id"),
            (#"{"type":"state","entity_id":"a","to":"x","for_seconds":1.5}"#, "for_seconds"),
            (#"{"type":"state","entity_id":"a","to":"x","for_seconds":1e300}"#, "for_seconds"),
            (#"{"type":"state","entity_id":"a","to":"x","force":true}"#, "force"), (#"{"type":"number","entity_id":"a"}"#, "above"),
            (#"{"type":"number","entity_id":"a","above":1,"below":2}"#, "above"), (#"{"type":"presence","change":"arrives"}"#, "person_id"),
            (#"{"type":"presence","change":"last_leaves","person_id":"a"}"#, "person_id"), (#"{"type":"time","at":"25:00"}"#, "at"),
            (#"{"type":"time","at":"06:00","weekdays":["someday"]}"#, "weekdays"), (#"{"type":"offline"}"#, "device_id"),
        ])
    func wrongTrigger(text: String, field: String) {
        #expect(Self.field(AutomationTrigger.self, text) == field)
    }

    @Test(
        "An invalid condition or action is rejected by field",
        arguments: [
            (#"{"type":"control","device_id":"a","action":"toggle"}"#, "action"), (#"{"type":"control","action":"on"}"#, "device_id"),
            (#"{"type":"control","device_id":"a","action":"read"}"#, "action"), (#"{"type":"scene"}"#, "scene_id"),
            (#"{"type":"notify","words":"x","to":"world"}"#, "to"), (#"{"type":"notify"}"#, "words"), (#"{"type":"run"}"#, "type"),
        ])
    func wrongAction(text: String, field: String) {
        #expect(Self.field(AutomationAction.self, text) == field)
        #expect(Self.field(AutomationCondition.self, text) == "type")
    }

    private static func field<Part: Decodable>(_ type: Part.Type, _ text: String) -> String? {
        do {
            _ = try JSONDecoder().decode(type, from: Data(text.utf8))
            return nil
        } catch DecodingError.keyNotFound(let key, _) {
            return key.stringValue
        } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context) {
            return context.codingPath.last?.stringValue
        } catch {
            return "\(error)"
        }
    }

    @Test("Conditions nested too deeply are rejected at any depth")
    func deep() {
        for depth in [30, 200, 400] {
            let text =
                String(repeating: #"{"type":"not","condition":"#, count: depth) + #"{"type":"home","who":"nobody"}"#
                + String(repeating: "}", count: depth)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(AutomationCondition.self, from: Data(text.utf8)) }
        }
    }

    private func draft(_ change: (inout AutomationDraft) -> Void = { _ in }) -> AutomationDraft {
        var draft = AutomationDraft(
            name: "Lock up", triggers: [.presence(.lastLeaves)], actions: [.control(DeviceAction(deviceID: "back-door", verb: .lock))])
        change(&draft)
        return draft
    }

    @Test("An invalid automation is rejected by field name")
    func checks() throws {
        #expect(try draft().checked() == draft())
        let deep = AutomationCondition.not(.not(.not(.not(.home(anybody: true)))))
        let cases: [(String, (inout AutomationDraft) -> Void)] = [
            ("name", { $0.name = " \n" }), ("triggers", { $0.triggers = [] }),
            ("triggers", { $0.triggers = Array(repeating: .presence(.lastLeaves), count: 9) }),
            ("conditions", { $0.conditions = Array(repeating: .home(anybody: true), count: 17) }),
            ("conditions", { $0.conditions = [.all(Array(repeating: .home(anybody: true), count: 16))] }),
            ("conditions.0.condition.condition.condition.condition", { $0.conditions = [deep] }),
            ("conditions.0.conditions", { $0.conditions = [.any([])] }), ("conditions.0.weekdays", { $0.conditions = [.weekdays([])] }),
            ("conditions.0.is", { $0.conditions = [.state(entityID: "a", value: "")] }), ("actions", { $0.actions = [] }),
            ("actions", { $0.actions = Array(repeating: .scene(id: "a"), count: 17) }),
            ("actions.0.value", { $0.actions = [.control(DeviceAction(deviceID: "a", verb: .setBrightness, value: 101))] }),
            ("actions.0.device_id", { $0.actions = [.control(DeviceAction(deviceID: "", verb: .on))] }),
            ("actions.0.words", { $0.actions = [.notify(words: "", to: .owner)] }),
            ("actions.0.words", { $0.actions = [.notify(words: String(repeating: "a", count: 201), to: .owner)] }),
            ("actions.0.words", { $0.actions = [.notify(words: "a\u{202E}b", to: .owner)] }),
            ("triggers.0.for_seconds", { $0.triggers = [.state(entityID: "a", to: "b", seconds: -1)] }),
            ("triggers.0.to", { $0.triggers = [.state(entityID: "a", to: "", seconds: 0)] }),
            ("triggers.0.above", { $0.triggers = [.number(entityID: "a", .above(.infinity))] }),
            ("triggers.0.below", { $0.triggers = [.number(entityID: "a", .below(.nan))] }),
            ("triggers.0.person_id", { $0.triggers = [.presence(.leaves(""))] }),
            ("triggers.0.weekdays", { draft in TimeOfDay("01:00").map { draft.triggers = [.time(at: $0, weekdays: [])] } }),
        ]
        for (field, change) in cases {
            let result = Result { () throws(AutomationError) in try draft(change).checked() }
            guard case .failure(let problem) = result else {
                Issue.record("\(field) was kept")
                continue
            }
            #expect(problem.field == field && !problem.message.isEmpty)
        }
    }

    @Test("Fuzzed input is decoded or rejected, and decoded parts survive encoding")
    func fuzz() throws {
        let whole = Array(text.utf8)
        var dice = SeededGenerator.forTest(2)
        let bits = ["null", "true", "-1", "1e999", "\"\"", "[]", "{}", "\"type\"", ":", ",", "\\u0000", "\"all\"", "9223372036854775808"]
        for _ in 0..<4000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                let end = min(bytes.count, place + Int.random(in: 0...12, using: &dice))
                bytes.replaceSubrange(place..<end, with: Array((bits.randomElement(using: &dice) ?? "").utf8))
            }
            guard let sheet = try? JSONDecoder().decode(Parts.self, from: Data(bytes)) else { continue }
            let draft = AutomationDraft(
                name: "x", triggers: sheet.triggers, conditions: sheet.conditions, actions: sheet.actions)
            _ = try? draft.checked()
            #expect(try JSONDecoder().decode(Parts.self, from: try JSONEncoder().encode(sheet)) == sheet, "seed \(dice.seed)")
        }
    }
}
