import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Codes of alarm panels and locks")
struct CodeMappingTests {
    private func commandMessages(_ entity: AnnouncedEntity, _ verb: Verb, _ value: JSONValue? = nil, code: String? = nil) -> String? {
        entity.mapping.commandMessages(for: verb, value: value, transition: nil, code: code, in: EntityState())?.map(\.payload).joined(
            separator: " ")
    }

    @Test("An alarm panel sends exactly its own command payloads")
    func states() throws {
        let panel = try MappingFixture.entity("alarm_control_panel", #"{"cmd_t": "c", "stat_t": "s"}"#)
        let words = [
            "disarmed", "armed_home", "armed_away", "armed_night", "armed_vacation", "armed_custom_bypass", "pending", "arming",
            "disarming", "triggered",
        ]

        #expect(panel.kind == .alarm)
        #expect(MappingFixture.values(panel, "s", words) == words)
        #expect(MappingFixture.values(panel, "s", ["None", "", "armed"]) == ["unknown", nil, nil])
        #expect(
            panel.mapping.initialState.attributes
                == ["supported_modes": ["home", "away", "night", "vacation", "custom_bypass"], "code_required": false])
    }

    @Test("A panel without a code is armed and disarmed without one")
    func withoutCode() throws {
        let panel = try MappingFixture.entity(
            "alarm_control_panel", #"{"cmd_t": "c", "stat_t": "s", "sup_feat": ["arm_home", "arm_night"], "pl_arm_home": "HOME"}"#)

        #expect(panel.mapping.verbs == [.arm, .disarm])
        #expect(commandMessages(panel, .arm, "home") == "HOME")
        #expect(commandMessages(panel, .arm, "night") == "ARM_NIGHT")
        #expect(commandMessages(panel, .arm, "away") == nil)
        #expect(commandMessages(panel, .disarm) == "DISARM")
        #expect(commandMessages(panel, .trigger) == nil)
        #expect(!panel.mapping.needsCode(.disarm))
    }

    @Test(
        "A panel's code is its own or any code that the panel checks itself",
        arguments: [
            ("1234", "1234", true), ("1234", "9", false), ("1234", nil, false), ("REMOTE_CODE", "9", true), ("REMOTE_CODE", nil, false),
            ("REMOTE_CODE_TEXT", "open sesame", true), ("REMOTE_CODE_TEXT", "", false),
        ] as [(String, String?, Bool)])
    func codes(wanted: String, code: String?, isSent: Bool) throws {
        let panel = try MappingFixture.entity(
            "alarm_control_panel",
            #"{"cmd_t": "c", "stat_t": "s", "code": "\#(wanted)", "cmd_tpl": "{{ action }}/{{ code }}", "cod_trig_req": false}"#)

        #expect(panel.mapping.needsCode(.disarm) && panel.mapping.needsCode(.arm) && !panel.mapping.needsCode(.trigger))
        #expect(commandMessages(panel, .disarm, code: code) == (isSent ? "DISARM/\(code ?? "")" : nil))
        #expect(commandMessages(panel, .arm, "away", code: code) == (isSent ? "ARM_AWAY/\(code ?? "")" : nil))
        #expect(commandMessages(panel, .trigger) == "TRIGGER/None")
        #expect(panel.mapping.initialState.attributes["code_required"] == true)
    }

    @Test(
        "Every lock command carries a code of the required format",
        arguments: [
            (#"^\\d{4}$"#, "1234", true), (#"^\\d{4}$"#, "12345", false), (#"^\\d{4}$"#, nil, false), (#"\\d"#, "1x", true),
            (#"^(\\d{4})?$"#, nil, true), (".", "", false),
        ] as [(String, String?, Bool)])
    func lock(form: String, code: String?, isSent: Bool) throws {
        let lock = try MappingFixture.entity(
            "lock", #"{"cmd_t": "c", "stat_t": "s", "pl_open": "OPEN", "cod_form": "\#(form)", "cmd_tpl": "{{ value }}/{{ code }}"}"#)

        #expect(lock.mapping.verbs == [.lock, .unlock, .open])
        for (verb, word) in [(Verb.lock, "LOCK"), (.unlock, "UNLOCK"), (.open, "OPEN")] {
            #expect(commandMessages(lock, verb, code: code) == (isSent ? "\(word)/\(code ?? "None")" : nil))
        }
        #expect(lock.mapping.commandTopics == ["c"])
        #expect(lock.mapping.initialState.attributes["code_format"]?.string?.isEmpty == false)
    }

    @Test("A lock with an unsupported code format gets no command, and the error says how to fix that")
    func unreadableForm() throws {
        let lock = try MappingFixture.entity("lock", #"{"cmd_t": "c", "stat_t": "s", "cod_form": "("}"#)

        #expect(commandMessages(lock, .unlock, code: "1") == nil)
        #expect(lock.notice?.contains("code_format") == true)
    }

    @Test("A lock without a code format puts a stored code into its template and needs none")
    func withoutForm() throws {
        let lock = try MappingFixture.entity("lock", #"{"cmd_t": "c", "cmd_tpl": "{{ value }}/{{ code }}"}"#)

        #expect(commandMessages(lock, .unlock) == "UNLOCK/None")
        #expect(commandMessages(lock, .unlock, code: "1234") == "UNLOCK/1234")
        #expect(!lock.mapping.needsCode(.unlock))
        #expect(!lock.mapping.reports(.unlock))
    }

    @Test("The payload for an unknown state takes precedence over all others")
    func reset() throws {
        let lock = try MappingFixture.entity("lock", #"{"cmd_t": "c", "stat_t": "s", "pl_rst": "LOCKED"}"#)

        #expect(MappingFixture.values(lock, "s", ["UNLOCKED", "LOCKED", "None"]) == ["unlocked", "unknown", nil])
    }
}
