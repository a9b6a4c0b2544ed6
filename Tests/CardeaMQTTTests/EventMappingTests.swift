import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Events, triggers and pictures")
struct EventMappingTests {
    private func state(_ entity: AnnouncedEntity, _ text: String, at seconds: Double, isRetained: Bool = false) -> EntityState? {
        let heard = IncomingMessage(
            topic: "s", payload: Array(text.utf8), at: Date(timeIntervalSince1970: seconds), isRetained: isRetained)
        return entity.mapping.state(entity.mapping.initialState, after: heard)
    }

    @Test("Each event is new with its own time, also if its type repeats")
    func events() throws {
        let event = try MappingFixture.entity("event", #"{"stat_t": "s", "evt_typ": ["press", "hold"], "dev_cla": "doorbell"}"#)

        #expect(event.kind == .event)
        let first = state(event, #"{"event_type": "press", "count": 2}"#, at: 1_796_000_000.123)
        #expect(first?.value == "2026-11-30T00:53:20.123Z")
        #expect(first?.attributes == ["event_type": "press", "event_types": ["press", "hold"], "count": 2])
        let second = state(event, #"{"event_type": "press"}"#, at: 1_796_000_001)
        #expect(second?.value == "2026-11-30T00:53:21.000Z")
        #expect(second?.attributes["count"] == nil)
    }

    @Test(
        "A message that is no event of the entity is ignored",
        arguments: [#"{"event_type": "double"}"#, "", "{}", "None", "press", #"{"x": 1}"#, "[1]", #"{"event_type": null}"#])
    func noEvents(text: String) throws {
        let event = try MappingFixture.entity("event", #"{"stat_t": "s", "evt_typ": ["press"]}"#)

        #expect(state(event, text, at: 1) == nil)
    }

    @Test("A retained press is no new press")
    func retained() throws {
        let event = try MappingFixture.entity("event", #"{"stat_t": "s", "evt_typ": ["press"]}"#)
        let trigger = try MappingFixture.entity(
            "device_automation", #"{"atype": "trigger", "t": "s", "type": "press", "stype": "left", "pl": "1"}"#)

        #expect(state(event, #"{"event_type": "press"}"#, at: 1, isRetained: true) == nil)
        #expect(state(trigger, "1", at: 1, isRetained: true) == nil)
        #expect(state(trigger, "1", at: 1) != nil)
    }

    @Test("A template may produce an event, and an empty result is none")
    func templates() throws {
        let event = try MappingFixture.entity(
            "event",
            #"""
            {"stat_t": "s", "evt_typ": ["single"], "val_tpl":
            "{% if value_json.action is defined and value_json.action %}{{ {'event_type': value_json.action} | tojson }}{% endif %}"}
            """#)

        #expect(state(event, #"{"action": "single"}"#, at: 1)?.attributes["event_type"] == "single")
        #expect(state(event, #"{"action": ""}"#, at: 1) == nil)
        #expect(state(event, #"{"battery": 7}"#, at: 1) == nil)
    }

    @Test("A large event keeps only its type")
    func large() throws {
        let event = try MappingFixture.entity("event", #"{"stat_t": "s", "evt_typ": ["press"]}"#)
        let text = #"{"event_type": "press", "x": "\#(String(repeating: "y", count: 5000))"}"#

        #expect(state(event, text, at: 1)?.attributes == ["event_type": "press", "event_types": ["press"]])
    }

    @Test("A device trigger becomes an event of its type and subtype by its payload")
    func triggers() throws {
        let trigger = try MappingFixture.entity(
            "device_automation",
            #"""
            {"automation_type": "trigger", "topic": "s", "type": "button_short_press", "subtype": "button_1", "payload": "S",
            "value_template": "{{ value_json.event }}", "device": {"identifiers": ["remote"]}}
            """#)

        #expect(trigger.kind == .event)
        #expect(trigger.mapping.impliedName == "button_short_press button_1")
        #expect(trigger.mapping.stateTopics.map(\.topic) == ["s"])
        let pressed = state(trigger, #"{"event": "S"}"#, at: 1_796_000_000)
        #expect(pressed?.value == "2026-11-30T00:53:20.000Z")
        #expect(
            pressed?.attributes == ["event_type": "button_short_press button_1", "event_types": ["button_short_press button_1"]])
        #expect(state(trigger, #"{"event": "L"}"#, at: 1) == nil)
        #expect(state(trigger, "S", at: 1) == nil)
    }

    @Test("A trigger without a payload fires for every message on its topic")
    func anyPayload() throws {
        let trigger = try MappingFixture.entity("device_automation", #"{"atype": "trigger", "t": "s", "type": "ring", "stype": "bell"}"#)

        #expect(state(trigger, "", at: 1) != nil)
        #expect(MappingFixture.states(trigger, [("elsewhere", "x")]) == [nil])
    }

    @Test("An image or camera subscribes only to its picture topic")
    func pictures() throws {
        let image = try MappingFixture.entity("image", #"{"img_t": "p", "img_e": "b64", "cont_type": "image/png"}"#)
        let camera = try MappingFixture.entity("camera", #"{"t": "p"}"#)
        let address = try MappingFixture.entity("image", #"{"url_t": "u"}"#)

        #expect(image.kind == .image && camera.kind == .image)
        #expect(image.mapping.picture == PictureTopic(topic: "p", isBase64: true, contentType: "image/png"))
        #expect(camera.mapping.picture == PictureTopic(topic: "p", isBase64: false, contentType: "image/jpeg"))
        #expect(image.mapping.stateTopics.isEmpty && image.mapping.verbs.isEmpty)
        #expect(address.mapping.picture == nil)
        #expect(address.notice?.contains("url_topic") == true)
    }
}
