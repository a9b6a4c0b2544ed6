import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Alarm panels, locks and their codes")
struct CodeWiringTests {
    private func told(_ entity: AnnouncedEntity, _ verb: Verb, _ value: JSONValue? = nil, code: String? = nil) -> String? {
        entity.wiring.telegrams(for: verb, value: value, transition: nil, code: code, in: EntityState())?.map(\.payload).joined(
            separator: " ")
    }

    @Test("A panel says every one of its words, and nothing else")
    func states() throws {
        let panel = try WiringBench.entity("alarm_control_panel", #"{"cmd_t": "c", "stat_t": "s"}"#)
        let words = [
            "disarmed", "armed_home", "armed_away", "armed_night", "armed_vacation", "armed_custom_bypass", "pending", "arming",
            "disarming", "triggered",
        ]

        #expect(panel.kind == .alarm)
        #expect(WiringBench.values(panel, "s", words) == words)
        #expect(WiringBench.values(panel, "s", ["None", "", "armed"]) == ["unknown", nil, nil])
        #expect(
            panel.wiring.initialState.attributes
                == ["supported_modes": ["home", "away", "night", "vacation", "custom_bypass"], "code_required": false])
    }

    @Test("A panel without a code is armed and disarmed without one")
    func withoutCode() throws {
        let panel = try WiringBench.entity(
            "alarm_control_panel", #"{"cmd_t": "c", "stat_t": "s", "sup_feat": ["arm_home", "arm_night"], "pl_arm_home": "HOME"}"#)

        #expect(panel.wiring.verbs == [.arm, .disarm])
        #expect(told(panel, .arm, "home") == "HOME")
        #expect(told(panel, .arm, "night") == "ARM_NIGHT")
        #expect(told(panel, .arm, "away") == nil)
        #expect(told(panel, .disarm) == "DISARM")
        #expect(told(panel, .trigger) == nil)
        #expect(!panel.wiring.needsCode(.disarm))
    }

    @Test(
        "A panel's code is its own, or any that the panel checks itself",
        arguments: [
            ("1234", "1234", true), ("1234", "9", false), ("1234", nil, false), ("REMOTE_CODE", "9", true), ("REMOTE_CODE", nil, false),
            ("REMOTE_CODE_TEXT", "open sesame", true), ("REMOTE_CODE_TEXT", "", false),
        ] as [(String, String?, Bool)])
    func codes(wanted: String, code: String?, isSent: Bool) throws {
        let panel = try WiringBench.entity(
            "alarm_control_panel",
            #"{"cmd_t": "c", "stat_t": "s", "code": "\#(wanted)", "cmd_tpl": "{{ action }}/{{ code }}", "cod_trig_req": false}"#)

        #expect(panel.wiring.needsCode(.disarm) && panel.wiring.needsCode(.arm) && !panel.wiring.needsCode(.trigger))
        #expect(told(panel, .disarm, code: code) == (isSent ? "DISARM/\(code ?? "")" : nil))
        #expect(told(panel, .arm, "away", code: code) == (isSent ? "ARM_AWAY/\(code ?? "")" : nil))
        #expect(told(panel, .trigger) == "TRIGGER/None")
        #expect(panel.wiring.initialState.attributes["code_required"] == true)
    }

    @Test(
        "A lock is sent only a code of the form that it wants, with every command",
        arguments: [
            (#"^\\d{4}$"#, "1234", true), (#"^\\d{4}$"#, "12345", false), (#"^\\d{4}$"#, nil, false), (#"\\d"#, "1x", true),
            (#"^(\\d{4})?$"#, nil, true), (".", "", false),
        ] as [(String, String?, Bool)])
    func lock(form: String, code: String?, isSent: Bool) throws {
        let lock = try WiringBench.entity(
            "lock", #"{"cmd_t": "c", "stat_t": "s", "pl_open": "OPEN", "cod_form": "\#(form)", "cmd_tpl": "{{ value }}/{{ code }}"}"#)

        #expect(lock.wiring.verbs == [.lock, .unlock, .open])
        for (verb, word) in [(Verb.lock, "LOCK"), (.unlock, "UNLOCK"), (.open, "OPEN")] {
            #expect(told(lock, verb, code: code) == (isSent ? "\(word)/\(code ?? "None")" : nil))
        }
        #expect(lock.wiring.commandTopics == ["c"])
        #expect(lock.wiring.initialState.attributes["code_format"]?.string?.isEmpty == false)
    }

    @Test("A lock whose code is not understood is sent nothing, and says how to mend that")
    func unreadableForm() throws {
        let lock = try WiringBench.entity("lock", #"{"cmd_t": "c", "stat_t": "s", "cod_form": "("}"#)

        #expect(told(lock, .unlock, code: "1") == nil)
        #expect(lock.notice?.contains("code_format") == true)
    }

    @Test("A lock without a form takes a stored code into its template, and needs none")
    func withoutForm() throws {
        let lock = try WiringBench.entity("lock", #"{"cmd_t": "c", "cmd_tpl": "{{ value }}/{{ code }}"}"#)

        #expect(told(lock, .unlock) == "UNLOCK/None")
        #expect(told(lock, .unlock, code: "1234") == "UNLOCK/1234")
        #expect(!lock.wiring.needsCode(.unlock))
        #expect(!lock.wiring.reports(.unlock))
    }

    @Test("The word for an unknown state goes before all others")
    func reset() throws {
        let lock = try WiringBench.entity("lock", #"{"cmd_t": "c", "stat_t": "s", "pl_rst": "LOCKED"}"#)

        #expect(WiringBench.values(lock, "s", ["UNLOCKED", "LOCKED", "None"]) == ["unlocked", "unknown", nil])
    }
}
