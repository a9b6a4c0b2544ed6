import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import Testing

@Suite("Signed checkpoints of the audit log")
struct AuditCheckpointTests {
    private let key = Curve25519.Signing.PrivateKey()
    private let checkpoint = AuditCheckpoint(
        origin: "cardea/house_1", size: 512, root: Data(repeating: 7, count: 32), at: 1_795_442_400_000)

    private func signed() throws -> String { checkpoint.note(try checkpoint.signature(by: key), by: key.publicKey) }

    @Test("A checkpoint is a signed note in transparency-log format and reads back equal")
    func note() throws {
        let text = try signed()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(5) == ["cardea/house_1", "512", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "at 1795442400000", ""])
        #expect(lines.count == 7 && lines[5].hasPrefix("— cardea/house_1 ") && lines[6].isEmpty)
        #expect(AuditCheckpoint(note: text, by: key.publicKey) == checkpoint)
        let verifier = AuditCheckpoint.verifier(key.publicKey, of: "cardea/house_1").split(separator: "+", maxSplits: 2)
        #expect(verifier.count == 3 && verifier[0] == "cardea/house_1" && verifier[1].count == 8)
        #expect(Data(base64Encoded: String(verifier[2])) == Data([1]) + key.publicKey.rawRepresentation)
    }

    @Test("An additional signature is accepted beside the house's, and refused alone")
    func witnesses() throws {
        let (text, witness) = (try signed(), Curve25519.Signing.PrivateKey())
        let other = checkpoint.note(try checkpoint.signature(by: witness), by: witness.publicKey)
        let line = other.split(separator: "\n").last.map { "\($0)\n" } ?? ""
        #expect(AuditCheckpoint(note: text + line, by: key.publicKey) == checkpoint)
        #expect(AuditCheckpoint(note: other, by: key.publicKey) == nil)
    }

    @Test("A checkpoint with any change is refused")
    func altered() throws {
        let bytes = Array(try signed().utf8)
        for place in bytes.indices {
            for change in [bytes[place] ^ 1, bytes[place] ^ 0x20, UInt8(ascii: "0"), UInt8(ascii: "\n")] where change != bytes[place] {
                var altered = bytes
                altered[place] = change
                let read = AuditCheckpoint(note: String(decoding: altered, as: UTF8.self), by: key.publicKey)
                // Some Base64 letters have unused bits; the decoded value is the same.
                #expect(read == nil || read == checkpoint, "\(place)")
            }
            #expect(AuditCheckpoint(note: String(decoding: bytes[..<place], as: UTF8.self), by: key.publicKey) == nil)
        }
    }

    @Test("Random bytes cause no crash")
    func nonsense() throws {
        var dice = SeededGenerator.forTest(1)
        let pieces = ["cardea/x", "\n", "512", "-1", "99999999999999999999", "at ", "— ", "BwcH", "=", " ", "\u{0}", "at -5", "é"]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...14, using: &dice)).map { _ in pieces.randomElement(using: &dice) ?? "" }.joined()
            #expect(AuditCheckpoint(note: text, by: key.publicKey) == nil, "seed \(dice.seed)")
        }
        #expect(AuditCheckpoint(note: String(repeating: "a\n", count: 100_000), by: key.publicKey) == nil)
    }
}
