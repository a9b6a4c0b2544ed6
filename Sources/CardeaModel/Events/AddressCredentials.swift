import Foundation

/// User name and password of an address as a person types it, cut out before the rest is read.
///
/// RFC 3986 wants `/ ? # @` in a password percent-encoded, and few people do that. The user information is everything up to the last `@`
/// with a host behind it. An address that means something else by the RFC, and may be meant so, is refused instead of guessed: a password
/// must not become a path, which is neither sealed nor hidden.
struct AddressCredentials: Hashable, Sendable {
    let user: String?
    let password: String?
    /// The address without them.
    let address: String

    init(_ text: String) throws(CameraAddress.AddressError) {
        let start = text.firstRange(of: "://")?.upperBound ?? text.endIndex
        let rest = text[start...]
        guard let at = try Self.end(in: rest) else {
            user = nil
            password = nil
            address = text
            return
        }
        let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(Self.decoded) ?? ""
        password = parts.count > 1 ? Self.decoded(parts[1]) : nil
        user = name.isEmpty && password == nil ? nil : name
        address = String(text[..<start]) + String(rest[rest.index(after: at)...])
    }

    /// The `@` that ends the user information; nil if there is none.
    private static func end(in rest: Substring) throws(CameraAddress.AddressError) -> Substring.Index? {
        let authority = rest.prefix { !isDelimiter($0) }
        let last = authority.lastIndex(of: "@")
        let host = HostCandidate(last.map { authority[authority.index(after: $0)...] } ?? authority)
        let later = rest[authority.endIndex...].indices.compactMap { index -> (at: Substring.Index, host: HostCandidate)? in
            guard rest[index] == "@" else { return nil }
            return HostCandidate(rest[rest.index(after: index)...].prefix { !isDelimiter($0) }).map { (at: index, host: $0) }
        }
        // By the RFC, with the fragment excluded: a camera's address has none.
        if let host, !rest.contains("#") {
            let mayBeCut = last != nil || (host.hasPort && !host.isLiteral)
            guard !mayBeCut || !later.contains(where: { $0.host.isAmbiguous(host) }) else { throw .ambiguous }
            return last
        }
        if let host, host.isLiteral || later.isEmpty { throw .notAnAddress }
        guard !later.isEmpty else { return nil }
        let likely = host == nil && later.count == 1 ? later : later.filter { $0.host.isLikely }
        guard likely.count == 1, let only = likely.first, rest[..<only.at].contains(":") else { throw .ambiguous }
        return only.at
    }

    private static func isDelimiter(_ character: Character) -> Bool { "/?#".contains(character) }

    /// A percent sign that begins no escape is one.
    private static func decoded(_ text: Substring) -> String { String(text).removingPercentEncoding ?? String(text) }
}

/// Host and port, if a text can be them.
private struct HostCandidate {
    /// An IP address.
    let isLiteral: Bool
    let hasDot: Bool
    /// A colon follows the host, with a port or without.
    let hasPort: Bool

    init?(_ text: Substring) {
        var name = text
        var port: Substring?
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else { return nil }
            name = text[text.index(after: text.startIndex)..<close]
            let tail = text[text.index(after: close)...]
            guard tail.isEmpty || tail.first == ":", !name.isEmpty, name.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
            else { return nil }
            port = tail.isEmpty ? nil : tail.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            (name, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        if let port, !port.isEmpty {
            guard let number = Int(port), (1...65_535).contains(number), port.first?.isNumber == true else { return nil }
        }
        hasPort = port != nil
        hasDot = name.contains(".")
        guard text.first != "[" else {
            isLiteral = true
            return
        }
        guard !name.isEmpty, name.utf8.allSatisfy(CameraAddress.isNameByte) else { return nil }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
        isLiteral = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    }

    /// More than a word of a path behind an `@`.
    var isLikely: Bool { isLiteral || hasPort || hasDot }

    /// May be meant where the RFC reads `other`.
    func isAmbiguous(_ other: HostCandidate) -> Bool { isLiteral || (!other.isLiteral && (isLikely || !other.hasDot)) }
}
