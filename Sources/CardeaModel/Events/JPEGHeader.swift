/// The header of a JPEG file, read from untrusted bytes before its picture begins (ITU-T T.81, annex B).
///
/// Reads only what decides whether other code may open the file: that it is a JPEG, and the size of its picture.
public struct JPEGHeader: Hashable, Sendable {
    /// Pixels.
    public let width: Int
    public let height: Int

    public static let maximumSide = 8192
    public static let maximumPixels = 32_000_000
    /// Segments before the picture; cameras write a dozen.
    private static let maximumSegments = 512

    public init(_ bytes: [UInt8]) throws(PictureError) {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { throw .notJPEG }
        var place = 2
        for _ in 0..<Self.maximumSegments {
            let (marker, start, length) = try Self.segment(bytes, at: place)
            switch marker {
            // Baseline, extended and progressive, with Huffman coding. Cameras send no other form: lossless, hierarchical, arithmetic.
            case 0xC0, 0xC1, 0xC2:
                // The decoder judges the end of the file: many cameras omit the end marker, or pad after it.
                self = try Self(frame: bytes[start..<start + length])
                return
            case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: throw .unusual
            // Image data or its end came before a frame; restart markers occur only inside image data.
            case 0xDA, 0xD9, 0xD8, 0xD0...0xD7, 0x00, 0x01: throw .notJPEG
            default: place = start + length
            }
        }
        throw .unusual
    }

    /// The marker at `place`, and its segment's content.
    private static func segment(_ bytes: [UInt8], at place: Int) throws(PictureError) -> (marker: UInt8, start: Int, length: Int) {
        var place = place
        guard place < bytes.count else { throw .brokenOff }
        guard bytes[place] == 0xFF else { throw .notJPEG }
        // A marker may be preceded by any number of fill bytes.
        while place < bytes.count, bytes[place] == 0xFF { place += 1 }
        guard place + 2 < bytes.count else { throw .brokenOff }
        let length = Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
        guard length >= 2 else { throw .notJPEG }
        guard place + 1 + length <= bytes.count else { throw .brokenOff }
        return (bytes[place], place + 3, length - 2)
    }

    private init(frame: ArraySlice<UInt8>) throws(PictureError) {
        let bytes = Array(frame)
        guard bytes.count >= 6 else { throw .brokenOff }
        let components = Int(bytes[5])
        guard bytes[0] == 8, [1, 3, 4].contains(components), bytes.count == 6 + 3 * components else { throw .unusual }
        height = Int(bytes[1]) << 8 | Int(bytes[2])
        width = Int(bytes[3]) << 8 | Int(bytes[4])
        guard width >= 16, height >= 16 else { throw .tooSmall }
        guard max(width, height) <= Self.maximumSide, width * height <= Self.maximumPixels else { throw .tooLarge }
    }
}
