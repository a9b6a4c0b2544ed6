extension NDEFRecord {
    /// A text (NFC Forum, RTD Text 1.0), in UTF-8.
    ///
    /// - Parameter language: as `en` or `de-CH`; up to 63 letters of it are kept.
    public static func text(_ text: String, language: String = "en") -> NDEFRecord {
        let code = Array(language.utf8.filter { $0 < 0x80 }.prefix(63))
        return NDEFRecord(letter: "T", payload: [UInt8(truncatingIfNeeded: code.count)] + code + Array(text.utf8))
    }

    /// The text that it is, and its language; nil if it is something else, or cannot be read.
    public var text: (text: String, language: String)? {
        guard typeName == .wellKnown, type == Array("T".utf8), let status = payload.first else { return nil }
        let count = Int(status & 0x3F)
        let rest = payload.dropFirst()
        guard rest.count >= count, let language = String(validating: rest.prefix(count), as: UTF8.self) else { return nil }
        let octets = rest.dropFirst(count)
        guard status & 0x80 != 0 else { return String(validating: octets, as: UTF8.self).map { ($0, language) } }
        return Self.decodeUTF16(Array(octets)).map { ($0, language) }
    }

    /// UTF-16, most significant octet first unless a mark before it says otherwise.
    private static func decodeUTF16(_ octets: [UInt8]) -> String? {
        guard octets.count.isMultiple(of: 2) else { return nil }
        let isTurned = octets.starts(with: [0xFF, 0xFE])
        var units = stride(from: 0, to: octets.count, by: 2).map { place in
            let (first, second) = (UInt16(octets[place]), UInt16(octets[place + 1]))
            return isTurned ? second << 8 | first : first << 8 | second
        }
        if units.first == 0xFEFF { units.removeFirst() }
        return String(validating: units, as: UTF16.self)
    }
}
