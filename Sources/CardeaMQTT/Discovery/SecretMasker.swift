/// Masks secrets inside a text: the user of an address, and the values behind names such as `token=` and `"code": `.
enum SecretMasker {
    static func masked(_ text: ArraySlice<UInt8>) -> [UInt8] { maskedValues(maskedAddresses(text)[...]) }

    /// `mqtt://hub:secret@broker` becomes `mqtt://•••@broker`.
    private static func maskedAddresses(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var rest = text
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            guard rest[colon...].starts(with: "://".utf8) else {
                output += rest[...colon]
                rest = rest[(colon + 1)...]
                continue
            }
            output += rest[..<(colon + 3)]
            rest = rest[(colon + 3)...]
            let end = rest.firstIndex { addressEnds.contains($0) } ?? rest.endIndex
            if let at = rest[..<end].lastIndex(of: UInt8(ascii: "@")) {
                output += AnnouncementMasker.mask.utf8
                rest = rest[at...]
            }
        }
        return output + rest
    }

    private static let addressEnds = Set("/?#\"'\\ \t\n<>{},".utf8)

    /// `token=abc` becomes `token=•••`. A template in that place stays: it is no secret.
    private static func maskedValues(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var rest = text
        while let sign = rest.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) {
            let name = name(before: sign, in: rest)
            let value = valueStart(after: sign, in: rest)
            output += rest[..<value]
            rest = rest[value...]
            guard AnnouncementMasker.isSecret(name), let first = rest.first, !opens.contains(first) else { continue }
            output += AnnouncementMasker.mask.utf8
            rest = rest[valueEnd(in: rest)...]
        }
        return output + rest
    }

    private static func name(before sign: Int, in text: ArraySlice<UInt8>) -> String {
        var end = sign
        while end > text.startIndex, quotes.contains(text[end - 1]) { end -= 1 }
        var start = end
        while start > text.startIndex, isLetter(text[start - 1]) { start -= 1 }
        return String(decoding: text[start..<end], as: UTF8.self)
    }

    private static func valueStart(after sign: Int, in text: ArraySlice<UInt8>) -> Int {
        var place = sign + 1
        while place < text.endIndex, quotes.contains(text[place]) {
            if isEscape(at: place, in: text) { break }
            place += 1
        }
        return place
    }

    private static func valueEnd(in text: ArraySlice<UInt8>) -> Int {
        var place = text.startIndex
        while place < text.endIndex {
            if isEscape(at: place, in: text) {
                place += 2
            } else if valueEnds.contains(text[place]) {
                break
            } else {
                place += 1
            }
        }
        return min(place, text.endIndex)
    }

    /// A character that is written with a reverse solidus, such as a line feed, and no quotation mark.
    private static func isEscape(at place: Int, in text: ArraySlice<UInt8>) -> Bool {
        guard text[place] == UInt8(ascii: "\\"), place + 1 < text.endIndex else { return false }
        return !quotes.contains(text[place + 1])
    }

    private static let quotes = Set("\"'\\ \t".utf8)
    /// A comparison, a template, an object or a list.
    private static let opens = Set("={[".utf8)
    private static let valueEnds = Set("\"'\\&;,} \t\n".utf8)

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }
}
