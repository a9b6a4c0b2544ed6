import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Masking of secrets in announcements")
struct AnnouncementMaskerTests {
    @Test(
        "Secrets are masked and all other content is unchanged",
        arguments: [
            (#"{"name": "Door", "uniq_id": "u", "qos": 1}"#, #"{"name": "Door", "uniq_id": "u", "qos": 1}"#),
            (#"{"code":"4711","code_format":"^\\d+$"}"#, #"{"code":"•••","code_format":"^\\d+$"}"#),
            (#"{"wifi_password": "a\"b", "psk": 7, "PIN": 12}"#, #"{"wifi_password": "•••", "psk": "•••", "PIN": "•••"}"#),
            (#"{"tokens": ["a", {"b": "c"}], "ping_t": "d"}"#, #"{"tokens": ["•••", {"b": "•••"}], "ping_t": "d"}"#),
            (#"{"keypad_t": "k", "keypad_code": "1"}"#, #"{"keypad_t": "k", "keypad_code": "•••"}"#),
            (
                #"{"payload_unlock": "4711", "pl_lock": "2", "pl_disarm": 12345}"#,
                #"{"payload_unlock": "•••", "pl_lock": "2", "pl_disarm": "•••"}"#
            ),
            (#"{"url": "mqtt://hub:p@ss@broker:1883/x?token=abc&y=1"}"#, #"{"url": "mqtt://•••@broker:1883/x?token=•••&y=1"}"#),
            (#"{"t": "{\"action\": \"{{ action }}\", \"code\": \"47\"}"}"#, #"{"t": "{\"action\": \"{{ action }}\", \"code\": \"•••\"}"}"#),
            (#"{"t": "{{ value_json.code == 'x' }}"}"#, #"{"t": "{{ value_json.code == 'x' }}"}"#),
            (#"{"t": "{{ \"code\": {{ code }} }}"}"#, #"{"t": "{{ \"code\": {{ code }} }}"}"#),
            (#"{"a": 1, "password": "cut"#, #"{"a": 1, "password": "•••"#),
            ("password=abc; code: 4711", "password=•••; code: •••"), ("", ""), (#"{"a\"#, #"{"a\"#), ("]]{", "]]{"),
        ])
    func masks(announcement: String, shown: String) {
        #expect(AnnouncementMasker.masked(Array(announcement.utf8)) == shown)
    }

    @Test("Masking survives damaged announcements and keeps valid JSON valid")
    func damaged() {
        var random = DamageGenerator(seed: 20_261_128)
        let text = #"{"code":"4711","x":{"token":["a"],"url":"http://a:b@c/?key=d"},"t":"{\"code\": \"1\"}","n":-1.5e3}"#
        for _ in 0..<2000 {
            let damaged = random.damage(Array(text.utf8))
            let masked = AnnouncementMasker.masked(damaged)
            #expect(JSONValue.read(damaged) == nil || JSONValue.read(Array(masked.utf8)) != nil, "seed \(random.seed)")
        }
    }
}
