import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaSecurity

@Suite("Signed action links")
struct SignedActionLinkTests {
    private static let made = Date(timeIntervalSince1970: 1_700_000_000)
    private static let secret = ButtonSecret(hex: Secret((0..<32).map { String(format: "%02x", $0) }.joined()))
    private static let right = "smp://action?idx=0&ts=1700000000&sig=6137d74275e3bb389b522f5339e822756f804ac710a5dd7ab95cb60943af1214"

    private func problem(_ text: String, at now: Date = made, by secret: ButtonSecret? = secret) throws -> SignedActionLink.LinkError? {
        let secret = try #require(secret)
        do throws(SignedActionLink.LinkError) {
            try SignedActionLink(text).check(secret, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("The published vector is created and parsed in its app and web forms")
    func vector() throws {
        let secret = try #require(Self.secret)
        let query = SignedActionLink.query(index: 0, at: Self.made, secret).reveal()

        #expect("smp://action?" + query == Self.right)
        #expect(try problem(Self.right) == nil)
        #expect(try problem("https://house.example/t/action?" + query) == nil)
        #expect(try SignedActionLink(Self.right).index == 0)
        #expect(try problem(Self.right, by: .make()) == .forged)
        #expect("\(secret)" == "[secret]" && secret.hex.reveal().count == 64)
    }

    @Test("A live link is valid for two minutes before and after its time", arguments: [-121, -120, 0, 120, 121])
    func time(seconds: Int) throws {
        let expected: SignedActionLink.LinkError? = abs(seconds) > 120 ? .stale : nil
        #expect(try problem(Self.right, at: Self.made.addingTimeInterval(TimeInterval(seconds))) == expected)
    }

    @Test("A link with repeated, extra, missing or invalid parameters is refused")
    func malformed() throws {
        let sig = Self.right.suffix(64)
        for text in [
            "", "smp:", "smp://action", "smp://action?", Self.right + "&idx=1", Self.right + "&x=1",
            "smp://action?idx=0&idx=0&ts=1700000000&sig=\(sig)", "smp://action?idx=0&ts=1700000000",
            "smp://other?idx=0&ts=1700000000&sig=\(sig)",
            "smp://action?idx=00&ts=1700000000&sig=\(sig)", "smp://action?idx=-1&ts=1700000000&sig=\(sig)",
            "smp://action?idx=10000&ts=1700000000&sig=\(sig)",
            "smp://action?idx=0&ts=17000000000000&sig=\(sig)", "smp://action?idx=0&ts=1700000000&sig=\(sig.dropLast())",
            "smp://action?idx=0&ts=1700000000&sig=\(sig.uppercased())", "smp://action?idx=0&ts=1700000000&sig=\(sig.dropLast())g",
            "smp://action:?idx=0&ts=1700000000&sig=\(sig)", "smp://a:b@action?idx=0&ts=1700000000&sig=\(sig)",
            "https://house.example/t/other?idx=0&ts=1700000000&sig=\(sig)",
            "smp://action?idx=٠&ts=1700000000&sig=\(sig)", "smp://action?" + String(repeating: "a=1&", count: 1000),
        ] {
            #expect(try problem(text) == .malformed, "\(text.prefix(80))")
        }
    }

    @Test("A link with any change is refused")
    func changed() throws {
        var dice = SeededGenerator.forTest(5)
        let octets = Array(Self.right.utf8)
        for _ in 0..<20_000 {
            var other = octets
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                let place = Int.random(in: other.indices, using: &dice)
                switch Int.random(in: 0..<3, using: &dice) {
                case 0: other[place] = .random(in: 0...255, using: &dice)
                case 1: other.remove(at: place)
                default: other.insert(.random(in: 0...255, using: &dice), at: place)
                }
            }
            let text = String(decoding: other, as: UTF8.self)
            // Scheme and host are case-insensitive, and padding is no change.
            guard PastedText.tagLink(text).lowercased() != Self.right else { continue }
            #expect(try problem(text) != nil, "\(text), seed \(dice.seed)")
        }
    }

    @Test("A secret is 64 hex digits, and other texts and an empty one are refused")
    func secrets() {
        for text in ["", "00", String(repeating: "0", count: 63), String(repeating: "g", count: 64), String(repeating: "0", count: 66)] {
            #expect(ButtonSecret(hex: Secret(text)) == nil)
        }
    }

    @Test("The encrypted timestamp matches the format of Seed's devices")
    func encryptedTimestamp() throws {
        let key = try TagKey(hex: Secret("11223344556677889900aabbccddeeff"))

        let text = try EncryptedTimestamp.make(at: Self.made, key, noise: Data([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))

        #expect(text == "8228b1cce34fbdb8f50c28fb2553f1f1")
        #expect(try EncryptedTimestamp.make(at: Self.made, key) != EncryptedTimestamp.make(at: Self.made, key))
    }
}
