import CardeaQR
import FoundationEssentials
import Testing

@Suite("QR code output")
struct QRCodeTests {
    @Test("Decoding the modules by the standard returns the input", arguments: ["cardea", "A", "front-door", "é ü"])
    func readBack(text: String) throws {
        let code = try QRCode(text)

        #expect(code.size == 21)
        #expect(Version1Decoder(code).text == text)
    }

    @Test("A QR code has the three finder patterns")
    func finders() throws {
        let code = try QRCode("https://house.example/g#cardea_gl_0123456789012345678901234567890123456789012")
        for (column, row) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
            #expect((0..<7).allSatisfy { code[column + $0, row] && code[column, row + $0] })
            #expect(code[column + 3, row + 3] && !code[column + 1, row + 1])
        }
        #expect(!code[-1, 0] && !code[code.size, 3], "around the code all is light")
    }

    @Test("An SVG has one path, no script, a margin of four modules and any size")
    func svg() throws {
        let code = try QRCode("cardea")
        let svg = code.svg()

        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 29 29\""))
        #expect(svg.components(separatedBy: "<path").count == 2)
        #expect(svg.contains("M4 4h7v1h-7z"), "the first finder's upper edge")
        #expect(!svg.contains("<script") && !svg.contains("style="))
    }

    @Test("The SVG's path draws exactly the dark modules")
    func path() throws {
        let code = try QRCode("https://house.example/g#cardea_gl_0123456789")
        let drawn = try #require(code.svg().split(separator: "d=\"").last?.split(separator: "\"").first)

        var dark = Set<[Int]>()
        for run in drawn.split(separator: "M") {
            let numbers = run.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
            for column in numbers[0]..<(numbers[0] + numbers[2]) { dark.insert([column - 4, numbers[1] - 4]) }
        }

        for row in 0..<code.size {
            for column in 0..<code.size { #expect(code[column, row] == dark.contains([column, row])) }
        }
    }

    @Test("Terminal output uses half blocks for light modules, a full margin and lines of equal width")
    func terminal() throws {
        let lines = try QRCode("cardea").terminalText().split(separator: "\n")

        #expect(lines.count == 15)
        #expect(Set(lines.map(\.count)) == [29])
        #expect(lines[0] == String(repeating: "█", count: 29)[...])
        #expect(lines[2].hasPrefix("████ ▄▄▄▄▄ "), "the first finder, cut out of the light")
        #expect(lines[14] == String(repeating: "▀", count: 29)[...])
    }

    @Test("ASCII output draws the light modules")
    func ascii() throws {
        let lines = try QRCode("cardea").terminalText(.ascii).split(separator: "\n", omittingEmptySubsequences: false).dropLast()

        #expect(lines.count == 29)
        #expect(lines[4].hasPrefix("########              ##"))
        #expect(lines.allSatisfy { $0.allSatisfy(\.isASCII) && $0.count == 58 })
    }

    @Test("QR code rejects empty and oversized input")
    func limits() throws {
        #expect(throws: QRCode.QRCodeError.empty) { try QRCode("") }
        #expect(throws: QRCode.QRCodeError.tooLong) { try QRCode(String(repeating: "x", count: 2332)) }
        #expect(try QRCode(String(repeating: "x", count: 2331)).size == 177)
    }
}

/// A decoder for the smallest code, after ISO/IEC 18004: unmask, walk the columns in pairs, take the bytes. It corrects no errors.
private struct Version1Decoder {
    private let code: QRCode

    init(_ code: QRCode) {
        self.code = code
    }

    var text: String? {
        var bits = data[...]
        func take(_ count: Int) -> Int {
            let value = bits.prefix(count).reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
            bits = bits.dropFirst(count)
            return value
        }
        // 0100 announces bytes; at this size eight bits give their count.
        guard take(4) == 4 else { return nil }
        let bytes = (0..<take(8)).map { _ in UInt8(take(8)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The mask's number is in the format bits beside the first finder, itself masked by 101.
    private var mask: Int {
        [2, 3, 4].reduce(0) { $0 << 1 | (code[$1, 8] ? 1 : 0) } ^ 0b101
    }

    private var data: [Bool] {
        var bits: [Bool] = []
        var upwards = true
        for right in [20, 18, 16, 14, 12, 10, 8, 5, 3, 1] {
            for step in 0..<21 {
                let row = upwards ? 20 - step : step
                for column in [right, right - 1] where !isReserved(column, row) {
                    bits.append(code[column, row] != isFlipped(column, row))
                }
            }
            upwards.toggle()
        }
        return bits
    }

    private func isReserved(_ column: Int, _ row: Int) -> Bool {
        (column < 9 && row < 9) || (column > 12 && row < 9) || (column < 9 && row > 12) || column == 6 || row == 6
    }

    private func isFlipped(_ j: Int, _ i: Int) -> Bool {
        switch mask {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: (i * j) % 2 + (i * j) % 3 == 0
        case 6: ((i * j) % 2 + (i * j) % 3) % 2 == 0
        default: ((i + j) % 2 + (i * j) % 3) % 2 == 0
        }
    }
}
