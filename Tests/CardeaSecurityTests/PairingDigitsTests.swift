import CardeaSecurity
import CardeaTestSupport
import Testing

@Suite("Six-digit pairing code")
struct PairingDigitsTests {
    @Test(
        "Six typed or pasted digits are normalised to ASCII",
        arguments: [
            ("123456", "123456"), ("123 456", "123456"), (" 12-34-56 ", "123456"), ("000000", "000000"), ("12345", nil), ("1234567", nil),
            ("", nil), ("12345a", nil), ("١٢٣٤٥٦", nil), ("１２３４５６", "123456"), ("123\u{200B}456", "123456"), ("12345½", nil),
            ("\u{2068}123 456\u{2069}", "123456"), ("1\u{0}23456", "123456"), ("“123 456”.", "123456"),
            (String(repeating: " ", count: 300) + "123456", nil),
        ])
    func digits(typed: String, digits: String?) {
        #expect(PairingDigits.normalized(typed) == digits)
    }

    @Test("A formatted code reads back, and any input gives six digits or nothing")
    func fuzz() {
        var random = SeededGenerator.forTest(9)
        for _ in 0..<5000 {
            let digits = (0..<6).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            #expect(PairingDigits.normalized(PairingDigits.formatted(digits)) == digits, "seed \(random.seed)")
            let count = Int.random(in: 0...12, using: &random)
            let scalars = (0..<count).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) }
            let typed = String(String.UnicodeScalarView(scalars))
            if let clean = PairingDigits.normalized(typed) { #expect(clean.wholeMatch(of: /[0-9]{6}/) != nil, "seed \(random.seed)") }
        }
    }
}
