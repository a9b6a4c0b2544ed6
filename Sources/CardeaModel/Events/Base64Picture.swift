import Foundation

/// A picture that a program sends as text: Base64 (RFC 4648) in any of the forms that cameras, scripts and mail programs write.
public enum Base64Picture {
    /// The bytes of the picture. Taken are the alphabet of URLs, line breaks and blanks (RFC 2045), padding that is missing, and the head of a
    /// `data:` URL; nil is returned for everything else.
    public static func bytes(in text: [UInt8]) -> Data? {
        guard let body = payload(of: text) else { return nil }
        var letters: [UInt8] = []
        letters.reserveCapacity(body.count + 3)
        var padding = 0
        for byte in body {
            switch byte {
            case 0x09, 0x0A, 0x0D, 0x20: continue
            // Padding ends the text.
            case 0x3D: padding += 1
            case _ where padding > 0: return nil
            // `-` and `_` from the URL-safe alphabet.
            case 0x2D: letters.append(0x2B)
            case 0x5F: letters.append(0x2F)
            default: letters.append(byte)
            }
        }
        guard padding <= 2, letters.count % 4 != 1 else { return nil }
        while letters.count % 4 != 0 { letters.append(0x3D) }
        return Data(base64Encoded: Data(letters))
    }

    public static func bytes(in text: String) -> Data? { bytes(in: Array(text.utf8)) }

    /// The letters behind the head of a `data:` URL (RFC 2397); the whole text if it has no head.
    private static func payload(of text: [UInt8]) -> ArraySlice<UInt8>? {
        let text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard lowercased(text.prefix(5)) == "data:" else { return text }
        // A data URL's head has a media type and a few parameters.
        guard let comma = text.prefix(256).firstIndex(of: 0x2C), lowercased(text[..<comma]).hasSuffix(";base64") else { return nil }
        return text[(comma + 1)...]
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self).lowercased() }
}
