import CardeaAPI
import Foundation
import Testing

@testable import cardea

@Suite("Announcement files")
struct AnnouncementFileTests {
    private func file(_ text: String, topic: String? = nil, component: String? = nil) throws -> AnnouncementFile {
        try AnnouncementFile(Data(text.utf8), topic: topic, component: component)
    }

    @Test("A bare announcement is sent unchanged with the given topic or one derived from its component")
    func bare() throws {
        let text = #"{ "cmd_t": "c" }"#

        let byTopic = try file(text, topic: "ha/lock/x/config", component: "switch")
        let byComponent = try file(text, component: "lock")

        #expect(byTopic.payload == text && byTopic.topic == "ha/lock/x/config")
        #expect(byComponent.payload == text && byComponent.topic == "homeassistant/lock/announcement/config")
    }

    @Test("A device announcement needs neither topic nor component, with full or abbreviated keys")
    func bundle() throws {
        for text in [#"{"cmps": {}}"#, #"{"components": {}}"#] {
            let read = try file(text)
            #expect(read.payload == text && read.topic == nil)
        }
    }

    @Test("A file with topic and payload is split, and a topic on the command line takes precedence")
    func recorded() throws {
        let asText = #"{"topic": "homeassistant/lock/x/config", "payload": "{\"cmd_t\": \"c\"}"}"#
        let asObject = #"{"topic": "homeassistant/lock/x/config", "payload": {"cmd_t": "c"}}"#

        let text = try file(asText)
        let object = try file(asObject, topic: "ha/switch/x/config")

        #expect(text.payload == #"{"cmd_t": "c"}"# && text.topic == "homeassistant/lock/x/config")
        #expect(object.payload == #"{"cmd_t":"c"}"# && object.topic == "ha/switch/x/config")
    }

    @Test("An announcement without topic or component is refused with the missing option")
    func missing() {
        for (text, component) in [(#"{"cmd_t": "c"}"#, nil), ("LOCKED", nil), (" \n", "lock"), ("{}", "a/b"), ("{}", "")] {
            #expect(throws: CommandLineError.self) { try file(text, component: component) }
        }
    }

    @Test("An announcement's preview shows its topics and lists omissions by device")
    func shown() throws {
        let answer = AnnouncementCheckAnswer(
            entities: [
                .init(
                    entityID: "lock.back_door", kind: "lock", name: "Back Door", device: "Back Door", deviceClass: nil, unit: nil,
                    actions: ["lock", "unlock"], reads: ["home/state"], writes: ["home/set"])
            ],
            notUnderstood: [
                .init(topic: "t", component: "siren", reason: "The hub does not show sirens.", device: "Back Door"),
                .init(topic: "t", component: "text", reason: "The hub does not show texts to set.", device: "Back Door"),
            ])

        #expect(
            IntegrationsCheckAnnouncementCommand.text(answer) == """
                Back Door: Back Door (lock)
                  id        lock.back_door
                  actions   lock unlock
                  listens   home/state
                  commands  home/set

                Not understood:
                Back Door
                  siren: The hub does not show sirens.
                  text: The hub does not show texts to set.
                """)
    }
}
