import Foundation
import Testing

@testable import CardeaModel

@Suite("Canonical JSON")
struct CanonicalJSONTests {
    /// RFC 8785, appendix B: the bits of a number, and its text.
    private static let numbers: [(bits: UInt64, text: String)] = [
        (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"), (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"), (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"), (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ]

    @Test("Numbers are written as in RFC 8785 and read back bit for bit", arguments: numbers)
    func publishedNumbers(bits: UInt64, text: String) throws {
        let number = Double(bitPattern: bits)
        #expect(try CanonicalJSON.number(number) == text)
        let read = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        // Minus zero is written as zero.
        #expect(read.number?.bitPattern == (number == 0 ? 0 : bits))
        // A difference of one bit is another number.
        if number != 0 { #expect(try CanonicalJSON.number(Double(bitPattern: bits ^ 1)) != text) }
    }

    @Test("Every number reads back equal in its shortest canonical form")
    func everyNumber() throws {
        var generator = SeededGenerator.forTest(1)
        for _ in 0..<20_000 {
            let number = Double(bitPattern: generator.next())
            guard number.isFinite else {
                #expect(throws: CanonicalJSON.NotFiniteError.self, "seed \(generator.seed)") { try CanonicalJSON.number(number) }
                continue
            }
            let text = try CanonicalJSON.number(number)
            #expect(Double(text) == number, "seed \(generator.seed)")
            #expect(!text.contains("e") || number.magnitude >= 1e21 || number.magnitude < 1e-6, "\(text), seed \(generator.seed)")
            let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
            let swifts = number.magnitude.description.prefix { $0 != "e" }.filter(\.isNumber)
            #expect(digits.count <= max(swifts.count, 21), "\(text), seed \(generator.seed)")
        }
    }

    @Test("Members are sorted by UTF-16 code units as in RFC 8785, unlike Swift's order")
    func order() throws {
        // Section 3.2.3.
        let names = ["\r", "1", "\u{80}", "\u{F6}", "\u{20AC}", "\u{1F600}", "\u{FB33}"]
        let text = try CanonicalJSON.encode(.object(Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, .string($0)) })))
        #expect(text == #"{"\r":"\r","1":"1","# + names[2...].map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}")
        #expect(names.sorted() != names && names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } != names)
    }

    @Test("The example of RFC 8785 is reproduced byte for byte")
    func example() throws {
        let input = #"""
            {"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
             "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}
            """#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(input.utf8))
        #expect(
            try CanonicalJSON.encode(value)
                == #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#)
    }

    @Test("Only required characters are escaped, each in one form")
    func escapes() throws {
        #expect(
            try CanonicalJSON.encode("\u{0}\u{7}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}\"\\/\u{2028}玄🚪")
                == "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f\u{7F}\\\"\\\\/\u{2028}玄🚪\"")
        #expect(throws: CanonicalJSON.NotFiniteError.self) { try CanonicalJSON.encode(["a": [.number(.nan)]]) }
    }

    @Test("The order follows UTF-16 code units for arbitrary names")
    func everyOrder() {
        let pieces = [
            "", "a", "b", "é", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FB33}", "\u{FFFD}", "\u{10000}", "\u{1F600}", "\u{10FFFF}",
        ]
        let names = pieces.flatMap { first in pieces.map { first + $0 } }
        for one in names {
            for other in names {
                #expect(CanonicalJSON.precedes(one, other) == one.utf16.lexicographicallyPrecedes(other.utf16), "\(one) \(other)")
            }
        }
    }

    @Test("An object written member by member gives the same text")
    func members() throws {
        var members = CanonicalJSON.ObjectWriter(room: 8)
        members.add("a", "x\"y{")
        members.add("at", Int64(1_795_269_600_000))
        members.add("b") { inner in
            inner.add("key", "0f")
            inner.add("sealed", Data([0xFB, 0xFF]))
        }
        members.add("c", String?.none)
        members.add("d", Int64?.none)
        members.add("e") { _ in }
        #expect(
            try members.finishedText
                == CanonicalJSON.encode(["at": 1_795_269_600_000, "b": ["sealed": "+/8=", "key": "0f"], "a": "x\"y{", "e": [:]]))
        #expect(CanonicalJSON.ObjectWriter().finishedText == "{}")
    }

    @Test("An audit entry is one line of canonical JSON with any sealed content")
    func auditRecord() throws {
        for subject in [nil, AuditRecord.SealedPart(key: 0x0abc, sealed: Data([0xFB, 0xFF]))] {
            let record = AuditRecord(
                seq: 7, at: 1_795_269_600_123, event: .init(key: 1, sealed: Data([1, 2])), actor: .init(key: .max, sealed: Data()),
                subject: subject)
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(record.canonical.utf8))
            #expect(try CanonicalJSON.encode(value) == record.canonical)
            #expect(value["v"] == 1 && value["seq"] == 7 && value["actor"]?["key"] == "7fffffffffffffff")
            #expect(value["subject"]?["sealed"] == subject.map { _ in "+/8=" })
        }
    }
}
