import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaSecurity

/// The examples are NXP's own (AN12196, revision 2.0).
@Suite("EV2 sessions with NTAG 424 tags")
struct EV2SessionTests {
    private func hex(_ text: String) -> Data { Hexadecimal.decode(text) ?? Data() }

    private func session(_ transaction: String, _ encryption: String, _ authentication: String, count: UInt16) -> EV2Session {
        EV2Session(
            encryption: TagKey(unchecked: hex(encryption)), authentication: TagKey(unchecked: hex(authentication)),
            transaction: hex(transaction), count: count)
    }

    @Test("The handshake of table 14 gives its session")
    func handshake() throws {
        let handshake = try EV2Handshake(
            TagPersonalisation.factoryKey, challenge: hex("A04C124213C186F22399D33AC2A30215"),
            random: hex("13C5DB8A5930439FC3DEF9A4C675360F"))
        #expect(handshake.answer == hex("35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D"))

        let answer = hex("3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F08120663")
        let session = try handshake.session(answer)

        // The second command, of table 18, uses values that only this session knows.
        var other = self.session("9D00C4DF", "1309C877509E5A215007FF0ED19CA564", "4C6626F5E72EA694202139295C7A7FC7", count: 0)
        #expect(try session.body(0x8D, header: hex("02"), data: hex("00")) == other.body(0x8D, header: hex("02"), data: hex("00")))
        for bit in 0..<256 {
            var forged = answer
            forged[bit / 8] ^= 1 << (bit % 8)
            // The first four octets name the session, and the following ones the tag's capabilities: neither is checked here.
            let isOurs = (32..<160).contains(bit)
            if isOurs { #expect(throws: EV2Session.SessionError.forged) { try handshake.session(forged) } }
        }
        #expect(throws: EV2Session.SessionError.malformed) { try handshake.session(answer.dropLast()) }
        #expect(throws: EV2Session.SessionError.forged) { try other.receive(Data(count: 8)) }
    }

    @Test("The file settings of table 18 are sent as printed, and an answer with a changed bit is refused")
    func settings() throws {
        var session = session("9D00C4DF", "1309C877509E5A215007FF0ED19CA564", "4C6626F5E72EA694202139295C7A7FC7", count: 1)

        let body = try session.body(0x5F, header: hex("02"), data: hex("4000E0C1F121200000430000430000"))

        #expect(body == hex("0261B6D97903566E84C3AE5274467E89EAD799B7C1A0EF7A04"))
        let answer = hex("57BFF87B1241E93D")
        for bit in 0..<64 {
            var forged = answer
            forged[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: EV2Session.SessionError.forged) { try session.receive(forged) }
        }
        #expect(throws: EV2Session.SessionError.malformed) { try session.receive(Data(count: 7)) }
        #expect(try session.receive(answer).isEmpty)
        #expect(throws: EV2Session.SessionError.forged, "an answer is good once") { try session.receive(answer) }
    }

    @Test("Another key and the session's own key are changed as in tables 25 and 26")
    func keys() throws {
        var session = session("7614281A", "4CF3CB41A22583A61E89B158D252FC53", "5529860B2FC5FB6154B7F28361D30BF9", count: 2)
        let new = TagKey(unchecked: hex("F3847D627727ED3BC9C4CC050489B966"))

        let data = TagPersonalisation.change(to: new, from: TagPersonalisation.factoryKey)
        #expect(data == hex("F3847D627727ED3BC9C4CC050489B96601789DFADC"))
        #expect(
            try session.body(0xC4, header: hex("02"), data: data)
                == hex("022CF362B7BF4311FF3BE1DAA295E8C68DE09050560D19B9E16C2393AE9CD1FAC75D0CE20BCD1D06E6"))
        #expect(try session.receive(hex("203BB55D1089D587")).isEmpty)

        let own = TagPersonalisation.change(to: TagKey(unchecked: hex("5004BF991F408672B1EF00F08F9E8647")), from: nil)
        #expect(
            try session.body(0xC4, header: hex("00"), data: own)
                == hex("00C0EB4DEEFEDDF0B513A03A95A75491818580503190D4D05053FF75668A01D6FDA6610234BDED6432"))
    }

    @Test("A key change requires the old value of the key")
    func difference() {
        let (new, old) = (TagKey(unchecked: Data(repeating: 0xF0, count: 16)), TagKey(unchecked: Data(repeating: 0x0F, count: 16)))

        #expect(TagPersonalisation.change(to: new, from: old).prefix(16) == Data(repeating: 0xFF, count: 16))
    }

    @Test("The tag's UID is decrypted from its answer as in table 28")
    func uid() throws {
        var session = session("DF055522", "2B4D963C014DC36F24F69A50A394F875", "379D32130CE61705DD5FD8C36B95D764", count: 0)

        #expect(try session.body(0x51) == hex("8E2C155ADDA99BE3"))
        #expect(try session.receive(hex("70756055688505B52A5E26E59E329CD6595F672298EA41B7")) == hex("04958CAA5C5E80"))
    }

    @Test("An authenticated answer without whole blocks or a padding marker is malformed")
    func illSaid() throws {
        let keys = ("2B4D963C014DC36F24F69A50A394F875", "379D32130CE61705DD5FD8C36B95D764")
        /// With the tag's own MAC appended, as after the session's first command.
        func said(_ octets: Data) throws -> Data {
            let whole = [UInt8](try TagKey(unchecked: hex(keys.1)).mac(of: hex("000100DF055522") + octets))
            return octets + Data(stride(from: 1, to: 16, by: 2).map { whole[$0] })
        }
        let printed = hex("70756055688505B52A5E26E59E329CD6595F672298EA41B7")
        #expect(try said(Data(printed.prefix(16))) == printed)

        for octets in [Data(count: 1), Data(count: 15), Data(count: 17), Data(count: 16), Data(count: 32)] {
            var session = session("DF055522", keys.0, keys.1, count: 0)
            #expect(throws: EV2Session.SessionError.malformed) { try session.receive(said(octets)) }
        }
    }

    @Test("Random answers are refused without a crash")
    func fuzz() throws {
        var session = session("DF055522", "2B4D963C014DC36F24F69A50A394F875", "379D32130CE61705DD5FD8C36B95D764", count: 0)
        let handshake = try EV2Handshake(TagPersonalisation.factoryKey, challenge: Data(count: 16))
        var random = SeededGenerator.forTest(8)
        for round in 0..<20_000 {
            let octets = Data((0..<round % 64).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            #expect(throws: EV2Session.SessionError.self, "seed \(random.seed)") { try session.receive(octets) }
            #expect(throws: EV2Session.SessionError.self, "seed \(random.seed)") { try handshake.session(octets) }
            if octets.count != 16 {
                #expect(throws: EV2Session.SessionError.malformed) { try EV2Handshake(TagPersonalisation.factoryKey, challenge: octets) }
            }
        }
    }

    @Test("The tag mirrors its data where the template has room, and each of its keys differs")
    func template() throws {
        let keys = SUNKeys(meta: .make(), file: .make())
        let uid = hex("04A1B2C3D4E5F6")
        let made = try TagPersonalisation(uid: uid, keys, url: "https://h.example/t/tag_1")
        let zeros = String(repeating: "0", count: 16)
        #expect(made.template == "https://h.example/t/tag_1?picc_data=\(zeros)\(zeros)&cmac=\(zeros)")
        let file = Data([0x00, 0x54, 0xD1, 0x01, 0x50, 0x55, 0x04]) + Data(made.template.dropFirst("https://".count).utf8)

        // 7 octets, then `h.example/t/tag_1?picc_data=`; then 32, and `&cmac=`.
        let (picc, code) = (UInt8(7 + 28), UInt8(7 + 28 + 32 + 6))
        #expect(made.settings(of: file) == Data([0x40, 0x00, 0xE0, 0xC1, 0xFF, 0x12, picc, 0, 0, code, 0, 0, code, 0, 0]))
        #expect(made.settings(of: file.dropLast()) == nil && made.settings(of: Data()) == nil)
        #expect(
            Set(made.keys.map(\.octets)).count == 5 && made.keys[1].octets == keys.meta.octets && made.keys[2].octets == keys.file.octets)
        #expect(TagPersonalisation.plainSettings == hex("00E0EE"))
        let other = try TagPersonalisation(uid: hex("04A1B2C3D4E5F7"), keys, url: "https://h.example/t/tag_1")
        #expect(other.keys[0].octets != made.keys[0].octets)
        #expect("\(made) \(keys.meta)" == "[keys] [key]")
    }

    @Test("Keys and sessions print no secret")
    func mirrors() throws {
        let keys = SUNKeys(meta: .make(), file: .make())
        let made = try TagPersonalisation(uid: hex("04A1B2C3D4E5F6"), keys, url: "https://h.example/t/tag_1")
        let session = session("DF055522", "2B4D963C014DC36F24F69A50A394F875", "379D32130CE61705DD5FD8C36B95D764", count: 0)
        for (secret, word) in [
            (keys, "[keys]"), (keys.meta, "[key]"), (made, "[keys]"), (session, "[session]"), (ButtonSecret.make(), "[secret]"),
        ] as [(Any, String)] {
            var dumped = ""
            dump(secret, to: &dumped)

            #expect("\(secret)" == word && String(reflecting: secret) == word)
            #expect(Mirror(reflecting: secret).children.isEmpty && dumped == "- \(word)\n")
        }
    }
}
