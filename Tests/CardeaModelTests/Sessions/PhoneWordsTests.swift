import CardeaModel
import Foundation
import Testing

@Suite("What a phone says of itself")
struct PhoneWordsTests {
    @Test(
        "Six digits are six of ASCII, however they were typed or pasted",
        arguments: [
            ("123456", "123456"), ("123 456", "123456"), (" 12-34-56 ", "123456"), ("000000", "000000"), ("12345", nil), ("1234567", nil),
            ("", nil), ("12345a", nil), ("١٢٣٤٥٦", nil), ("¹²³⁴⁵⁶", nil), ("１２３４５６", nil), ("12345½", nil), ("1\u{0}23456", nil),
            (String(repeating: " ", count: 70) + "123456", nil),
        ])
    func digits(typed: String, digits: String?) {
        #expect(PairingDigits.clean(typed) == digits)
    }

    @Test("What is shown is read again, and nothing but digits ever comes of anything typed")
    func fuzz() {
        var random = Seeded.forTest(9)
        for _ in 0..<5000 {
            let digits = (0..<6).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            #expect(PairingDigits.clean(PairingDigits.shown(digits)) == digits, "seed \(random.seed)")
            let count = Int.random(in: 0...12, using: &random)
            let scalars = (0..<count).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) }
            let typed = String(String.UnicodeScalarView(scalars))
            if let clean = PairingDigits.clean(typed) { #expect(clean.wholeMatch(of: /[0-9]{6}/) != nil, "seed \(random.seed)") }
        }
    }

    @Test("A phone's own name is a UUID in small letters, and its words are bounded")
    func words() throws {
        let id = "6F1D2C1E-6D0B-4F7C-9C1A-1E2D3C4B5A69"
        let phone = try PhoneWords(deviceID: id, name: "  Ada's phone ", model: "")
        #expect(phone.deviceID == id.lowercased() && phone.name == "Ada's phone" && phone.model == nil)
        for other in ["", "phone", "{\(id)}", id + "0", String(repeating: "a", count: 36)] {
            #expect(throws: PhoneWords.Problem.deviceID) { try PhoneWords(deviceID: other, name: "Phone", model: nil) }
        }
        #expect(throws: PhoneWords.Problem.name(.empty)) { try PhoneWords(deviceID: id, name: " ", model: nil) }
        #expect(throws: PhoneWords.Problem.name(.tooLong)) {
            try PhoneWords(deviceID: id, name: String(repeating: "x", count: 101), model: nil)
        }
        #expect(throws: PhoneWords.Problem.model(.tooLong)) {
            try PhoneWords(deviceID: id, name: "Phone", model: String(repeating: "x", count: 51))
        }
        #expect(throws: PhoneWords.Problem.model(.invalidCharacters)) { try PhoneWords(deviceID: id, name: "Phone", model: "a\u{202E}b") }
    }
}
