/// A name that a device gives itself: an identifier, or a connection such as its MAC address.
struct DeviceIdentifier: Hashable, Sendable {
    /// `identifier:lock-7`, or `connection:mac:aa:bb:cc:dd:ee:ff`. An identifier is never a connection.
    let key: String
    /// The form in which a version before kept it: `lock-7`, `mac:AA-BB-CC-DD-EE-FF`.
    let legacyText: String

    /// Characters of a name that are read.
    private static let lengthLimit = 256
    private static let identifierPrefix = "identifier:"
    private static let connectionPrefix = "connection:"

    /// Nil for an empty text, which names nothing.
    static func identifier(_ text: String) -> DeviceIdentifier? {
        guard !text.isEmpty else { return nil }
        let text = String(text.prefix(lengthLimit))
        return DeviceIdentifier(key: identifierPrefix + text, legacyText: text)
    }

    /// A connection of a kind, such as `mac`. The same MAC in any writing is one connection.
    ///
    /// Nil if the kind or the value is empty.
    static func connection(_ kind: String, _ value: String) -> DeviceIdentifier? {
        guard !kind.isEmpty, !value.isEmpty else { return nil }
        let (kind, value) = (String(kind.prefix(lengthLimit)), String(value.prefix(lengthLimit)))
        let normal = kind == "mac" ? mac(value) : value
        return DeviceIdentifier(key: "\(connectionPrefix)\(kind):\(normal)", legacyText: String("\(kind):\(value)".prefix(lengthLimit)))
    }

    /// True for a key; false for a name in the form of a version before.
    static func isKey(_ text: String) -> Bool { text.hasPrefix(identifierPrefix) || text.hasPrefix(connectionPrefix) }

    /// The keys that a name in the form of a version before may stand for.
    static func keys(of text: String) -> [String] {
        var names = [identifier(text)]
        if let colon = text.firstIndex(of: ":") {
            names.append(connection(String(text[..<colon]), String(text[text.index(after: colon)...])))
        }
        return names.compactMap { $0?.key }
    }

    /// A MAC address as `format_mac` of Home Assistant writes it; any other text as it is.
    static func mac(_ text: String) -> String {
        let characters = Array(text)
        func isWritten(with separator: Character, times: Int, length: Int) -> Bool {
            characters.count == length && characters.count { $0 == separator } == times
        }
        var digits = characters
        if isWritten(with: ":", times: 5, length: 17) { return text.lowercased() }
        if isWritten(with: "-", times: 5, length: 17) {
            digits.removeAll { $0 == "-" }
        } else if isWritten(with: ".", times: 2, length: 14) {
            digits.removeAll { $0 == "." }
        }
        guard digits.count == 12 else { return text }
        return stride(from: 0, to: 12, by: 2).map { digits[$0].lowercased() + digits[$0 + 1].lowercased() }.joined(separator: ":")
    }
}
