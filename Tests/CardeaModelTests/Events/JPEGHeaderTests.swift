import CardeaModel
import Testing

@Suite("JPEG headers")
struct JPEGHeaderTests {
    /// The shortest JPEG that states its size.
    private func jpeg(width: Int = 640, height: Int = 480, sof: UInt8 = 0xC0, precision: UInt8 = 8, components: UInt8 = 3) -> [UInt8] {
        var frame: [UInt8] = [precision, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), components]
        for component in 0..<components { frame.append(contentsOf: [component + 1, 0x11, 0] as [UInt8]) }
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, sof, 0, UInt8(frame.count + 2)]
        bytes.append(contentsOf: frame)
        bytes.append(contentsOf: [0xFF, 0xDA, 0, 2, 7, 0xFF, 0xD9] as [UInt8])
        return bytes
    }

    private func problem(_ bytes: [UInt8]) -> PictureError? {
        do throws(PictureError) { _ = try JPEGHeader(bytes) } catch { return error }
        return nil
    }

    @Test("A camera's JPEG gives its size, and an unusual or broken one its problem")
    func kinds() throws {
        let header = try JPEGHeader(jpeg(width: 1920, height: 1080))

        #expect(header.width == 1920 && header.height == 1080)
        #expect(problem(jpeg(sof: 0xC2, components: 1)) == nil && problem(jpeg(components: 4)) == nil)
        #expect(problem([]) == .notJPEG && problem(Array("GIF89a; not at all".utf8)) == .notJPEG)
        #expect(
            problem(jpeg(sof: 0xC3)) == .unusual && problem(jpeg(precision: 12)) == .unusual && problem(jpeg(components: 2)) == .unusual)
        #expect(problem(jpeg(width: 0)) == .tooSmall && problem(jpeg(height: 15)) == .tooSmall)
        #expect(problem(jpeg(width: 8193)) == .tooLarge && problem(jpeg(width: 8192, height: 8192)) == .tooLarge)
        // The decoder judges its end: many cameras omit the end marker, or pad after it.
        #expect(problem(Array(jpeg().dropLast(2))) == nil && problem(jpeg() + Array(repeating: 0, count: 512)) == nil)
        #expect(problem(Array(jpeg().prefix(20))) == .brokenOff)
        var filled: [UInt8] = [0xFF, 0xD8]
        filled.append(contentsOf: repeatElement(0xFF, count: 40))
        #expect(problem(filled) == .brokenOff)
        var remarks: [UInt8] = [0xFF, 0xD8]
        for _ in 0..<600 { remarks.append(contentsOf: [0xFF, 0xFE, 0, 2] as [UInt8]) }
        #expect(problem(remarks) == .unusual)
    }

    @Test("Damaged bytes are parsed or refused, and parsed values stay within bounds")
    func fuzz() {
        var dice = SeededGenerator.forTest(2)
        let whole = jpeg()
        for _ in 0..<TestRepetitions.of(20_000, full: 60_000) {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                switch Int.random(in: 0..<4, using: &dice) {
                case 0 where !bytes.isEmpty: bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
                case 1: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &dice)))
                case 2: bytes.insert(0xFF, at: Int.random(in: 0...bytes.count, using: &dice))
                default: bytes += whole.suffix(Int.random(in: 0...whole.count, using: &dice))
                }
            }
            if let header = try? JPEGHeader(bytes) {
                #expect((16...8192).contains(header.width) && (16...8192).contains(header.height), "seed \(dice.seed)")
            }
        }
    }
}
