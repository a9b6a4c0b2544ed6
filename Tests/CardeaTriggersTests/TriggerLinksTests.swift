import CardeaSecurity
import CardeaTestSupport
import CardeaTriggers
import Foundation
import Testing

@Suite("Live links without a hub")
struct TriggerLinksTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private let signature = "6137d74275e3bb389b522f5339e822756f804ac710a5dd7ab95cb60943af1214"

    private var settings: TriggerSettings {
        var settings = TriggerSettings(clientID: "app")
        settings.actions[0] = TriggerAction(title: "Garage", topic: "garage", message: "1", nfcSecret: Secret(secret))
        return settings
    }

    private func refusal(_ text: String, _ settings: TriggerSettings, after seconds: TimeInterval = 0) -> TriggerLinks.Refusal? {
        var links = TriggerLinks()
        do throws(TriggerLinks.Refusal) {
            _ = try links.redeem(text, settings, at: now.addingTimeInterval(seconds))
            return nil
        } catch {
            return error
        }
    }

    @Test("The published vector is created and accepted within two minutes either way")
    func vector() throws {
        var settings = settings
        let link = try #require(TriggerLinks.link(for: 0, in: &settings, at: now))
        #expect(link.reveal() == "smp://action?idx=0&ts=1700000000&sig=\(signature)")

        for seconds in [-120.0, 0, 120] { #expect(refusal(link.reveal(), settings, after: seconds) == nil) }
        for seconds in [-121.0, 121, 3600] { #expect(refusal(link.reveal(), settings, after: seconds) == .stale) }
    }

    @Test("A link in a second notation is the same link and does not fire again")
    func spellings() throws {
        var links = TriggerLinks()
        let good = "smp://action?idx=0&ts=1700000000&sig=\(signature)"
        for text in [
            good + "\u{0}", good + "%20", "smp://action?idx=%30&ts=1700000000&sig=\(signature)", good + "&utm_source=mail", good + "#a",
        ] {
            #expect(refusal(text, settings) == nil, "\(text)")
        }
        #expect(try links.redeem(good + " \r\n", settings, at: now) == 0)
        for text in [good, good + "%00", "\u{FEFF}" + good] {
            #expect(throws: TriggerLinks.Refusal.used) { try links.redeem(text, settings, at: now) }
        }
    }

    @Test("A link fires once, and a new secret invalidates earlier links")
    func once() throws {
        var (links, settings) = (TriggerLinks(), settings)
        let link = try #require(TriggerLinks.link(for: 0, in: &settings, at: now)).reveal()
        #expect(try links.redeem(link, settings, at: now) == 0)
        #expect(throws: TriggerLinks.Refusal.used) { try links.redeem(link, settings, at: now) }
        #expect(throws: TriggerLinks.Refusal.used) { try links.redeem(link, settings, at: now.addingTimeInterval(100)) }

        settings.actions[0].nfcSecret = TriggerLinks.newSecret()
        #expect(refusal(link, settings) == .forged)
    }

    @Test("The record of used links stays small, and none fires twice")
    func bounded() throws {
        var (links, settings) = (TriggerLinks(), settings)
        settings.actions[1] = TriggerAction(title: "Gate", topic: "gate", message: "1", nfcSecret: Secret(secret))
        var made: [String] = []
        for second in -120...120 {
            for index in 0...1 {
                made.append(try #require(TriggerLinks.link(for: index, in: &settings, at: now.addingTimeInterval(Double(second)))).reveal())
            }
        }

        for link in made { #expect(throws: Never.self) { try links.redeem(link, settings, at: now) } }
        let document = try JSONEncoder().encode(links.used)
        links = TriggerLinks(used: try JSONDecoder().decode(UsedLinkStore.self, from: document))

        #expect(made.count > 256 && document.count < 20_000)
        for link in made { #expect(throws: TriggerLinks.Refusal.used) { try links.redeem(link, settings, at: now) } }
    }

    @Test("An invalid link is refused with its own reason")
    func refused() {
        let good = "smp://action?idx=0&ts=1700000000&sig=\(signature)"
        var off = settings
        off.answersTags = false
        #expect(refusal(good, off) == .off)
        #expect(refusal("smp://action?idx=9&ts=1700000000&sig=\(signature)", settings) == .unknown)
        #expect(refusal("smp://action?idx=1&ts=1700000000&sig=\(signature)", settings) == .notConfigured)
        for text in [
            "", "smp://action", "smp://action?idx=0&idx=1&ts=1700000000&sig=\(signature)",
            "smp://action?idx=-1&ts=1700000000&sig=\(signature)",
            "smp://action?idx=99999999999999999999&ts=1700000000&sig=\(signature)", good + "&x=1", good.uppercased(),
        ] {
            #expect(refusal(text, settings) == .malformed, "\(text)")
        }
        var empty = settings
        empty.actions[0].topic = ""
        #expect(refusal(good, empty) == .emptyTopic)
        for text in ["", "00", String(repeating: "0g", count: 32)] {
            var without = settings
            without.actions[0].nfcSecret = Secret(text)
            #expect(refusal(good, without) == .notConfigured && !without.actions[0].isConfigured)
        }
    }

    @Test("A button without a secret gets one with its first link")
    func made() throws {
        var settings = settings
        #expect(!settings.actions[2].isConfigured)
        let link = try #require(TriggerLinks.link(for: 2, in: &settings, at: now))
        #expect(settings.actions[2].isConfigured && link.reveal().hasPrefix("smp://action?idx=2&ts=1700000000&sig="))
        #expect(TriggerLinks.link(for: 4, in: &settings, at: now) == nil && TriggerLinks.link(for: -1, in: &settings, at: now) == nil)
        #expect(TriggerLinks.newSecret().reveal().count == 64)
    }

    /// `CARDEA_FUZZED_LINKS` sets the number of links; `make chaos` runs a million.
    @Test("Damaged links cause no crash and fire nothing")
    func fuzz() throws {
        var random = SeededGenerator.forTest(1)
        let good = Array("smp://action?idx=0&ts=1700000000&sig=\(signature)".utf8)
        let alphabet = Array("0123456789abcdefABCDEF=&?#%:/idxtsig+-\u{0} é".utf8)
        var (links, settings) = (TriggerLinks(), settings)
        var fired: [String] = []
        let count = TestRepetitions.of(20_000, full: 20_000, variable: "CARDEA_FUZZED_LINKS")
        for _ in 0..<count {
            var bytes = good
            for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = alphabet.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
                default: bytes = Array(bytes.prefix(place + 1) + bytes.suffix(Int.random(in: 0...40, using: &random)))
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            // Schemes and hosts are case-insensitive, and padding is no change: that is the same link.
            guard PastedText.tagLink(text).lowercased() != String(decoding: good, as: UTF8.self) else { continue }
            if (try? links.redeem(text, settings, at: now)) != nil { fired.append(text) }
        }
        #expect(fired.isEmpty, "seed \(random.seed)")
        settings.answersTags = true
        #expect(try links.redeem(String(decoding: good, as: UTF8.self), settings, at: now) == 0)
    }
}
