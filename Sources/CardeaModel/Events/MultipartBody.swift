/// The parts of a multipart body (RFC 2046, section 5.1), as cameras send them: lines may end with LF alone, and the closing delimiter may
/// be missing.
struct MultipartBody {
    struct Part: Hashable {
        /// From `Content-Disposition`.
        var name: String?
        /// In lower case, without parameters; empty if none is given.
        var type = ""
        var bytes: [UInt8] = []
    }

    let parts: [Part]

    static let partLimit = 16
    static let headLimit = 4096
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// - Parameter contentType: the field with its `boundary`.
    /// - Returns: nil if there is no boundary or no part, or a part has no end of its head.
    init?(_ bytes: [UInt8], contentType: String) {
        guard let boundary = Self.parameter("boundary", of: contentType), (1...70).contains(boundary.utf8.count) else { return nil }
        // Some cameras include the dashes in the boundary's name.
        let delimiters = ["--" + boundary] + (boundary.hasPrefix("--") ? [boundary] : [])
        for delimiter in delimiters.map({ Array($0.utf8) }) {
            guard let start = Self.line(delimiter, in: bytes, from: 0) else { continue }
            guard let parts = Self.parts(of: bytes, from: start, delimiter) else { return nil }
            self.parts = parts
            return
        }
        return nil
    }

    private static func parts(of bytes: [UInt8], from first: Int, _ delimiter: [UInt8]) -> [Part]? {
        var (parts, next): ([Part], Int?) = ([], first)
        while let start = next {
            let rest = start + delimiter.count
            if bytes[rest...].starts(with: "--".utf8) { break }
            guard parts.count < partLimit, let end = bytes[rest...].firstIndex(of: lineFeed) else { return nil }
            guard let (head, content) = head(bytes, from: end + 1) else { return nil }
            var part = head
            next = line(delimiter, in: bytes, from: content)
            var last = next ?? bytes.count
            if next != nil {
                if last > content, bytes[last - 1] == lineFeed { last -= 1 }
                if last > content, bytes[last - 1] == carriageReturn { last -= 1 }
            }
            part.bytes = Array(bytes[content..<last])
            parts.append(part)
        }
        return parts.isEmpty ? nil : parts
    }

    /// The head of a part, and where its content begins.
    private static func head(_ bytes: [UInt8], from start: Int) -> (Part, Int)? {
        var (part, place) = (Part(), start)
        while place < bytes.count, place - start <= headLimit {
            guard let end = bytes[place...].firstIndex(of: lineFeed), end - start <= headLimit else { return nil }
            let line = bytes[place..<end].last == carriageReturn ? bytes[place..<end].dropLast() : bytes[place..<end]
            place = end + 1
            if line.isEmpty { return (part, place) }
            let text = String(decoding: line, as: UTF8.self)
            guard let colon = text.firstIndex(of: ":") else { continue }
            let value = trimmed(text[text.index(after: colon)...])
            switch text[..<colon].lowercased() {
            case "content-type": part.type = mediaType(value)
            case "content-disposition": part.name = parameter("name", of: value)
            default: break
            }
        }
        return nil
    }

    /// Returns the index at which `delimiter` begins a line; nil if it does not.
    private static func line(_ delimiter: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        let last = bytes.count - delimiter.count
        var place = start
        while place <= last, let found = bytes[place...].firstIndex(of: UInt8(ascii: "-")), found <= last {
            if found == 0 || bytes[found - 1] == lineFeed, bytes[found..<found + delimiter.count].elementsEqual(delimiter) { return found }
            place = found + 1
        }
        return nil
    }

    // MARK: Fields

    /// The media type of a `Content-Type`, in small letters, without its parameters.
    static func mediaType(_ field: String) -> String { trimmed(field.prefix { $0 != ";" }).lowercased() }

    /// A parameter of a header field, without its quotes.
    private static func parameter(_ name: String, of field: String) -> String? {
        for part in field.split(separator: ";").dropFirst() {
            guard let equals = part.firstIndex(of: "="), trimmed(part[..<equals]).lowercased() == name else { continue }
            let value = trimmed(part[part.index(after: equals)...])
            return value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"") ? String(value.dropFirst().dropLast()) : value
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
