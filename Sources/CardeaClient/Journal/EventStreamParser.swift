import Foundation

/// Server-sent events out of the bytes of a stream (WHATWG HTML, section 9.2.6), however they are cut.
struct EventStreamParser {
    struct Event: Hashable, Sendable {
        /// `message` if the stream names none.
        var name: String
        var data: String
        /// The last id that the stream named, in this event or before.
        var id: String?
    }

    /// More than this without an end of line is no stream of events.
    static let lineLimit = 16 << 20

    struct LineTooLongError: Error {}

    private var line: [UInt8] = []
    private var endedInReturn = false
    private var isFirst = true
    private var id: String?
    private var name = ""
    private var data: [String] = []

    /// The events that these bytes complete.
    mutating func parse(_ bytes: some Sequence<UInt8>) throws(LineTooLongError) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            // A line ends in CR, LF, or both.
            if endedInReturn {
                endedInReturn = false
                if byte == 0x0A { continue }
            }
            guard byte == 0x0A || byte == 0x0D else {
                guard line.count < Self.lineLimit else { throw LineTooLongError() }
                line.append(byte)
                continue
            }
            endedInReturn = byte == 0x0D
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        var text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if isFirst {
            isFirst = false
            if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        }
        guard !text.isEmpty else { return finishEvent() }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            applyField(field: text, value: "")
            return nil
        }
        var value = text[text.index(after: colon)...]
        if value.utf8.first == UInt8(ascii: " ") { value = value.dropFirst() }
        applyField(field: String(text[..<colon]), value: String(value))
        return nil
    }

    private mutating func applyField(field: String, value: String) {
        switch field {
        case "event": name = value
        case "data": data.append(value)
        case "id" where !value.utf8.contains(0): id = value.isEmpty ? nil : value
        // A comment, which shows that the connection is alive; `retry`, because this client has its own delays; and unknown fields.
        default: break
        }
    }

    private mutating func finishEvent() -> Event? {
        defer { (name, data) = ("", []) }
        guard !data.isEmpty else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"), id: id)
    }
}
