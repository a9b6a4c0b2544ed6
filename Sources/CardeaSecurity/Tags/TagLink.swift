import Foundation

/// A link from a tag or a screen, parsed without being trusted.
public enum TagLink: Hashable, Sendable {
    /// A live link, which was just made.
    case live(SignedActionLink)
    /// Written on a tag once and for all: `/t/{id}`.
    case staticTag(id: String)
    /// Made by the tag at this touch: `/t/?picc_data=…&cmac=…`, or with the tag's id, `/t/{id}?…`, where the parameters may have other
    /// names.
    case touch(id: String?, values: [String: String])

    /// Not such a link; a repeated parameter, or an invalid value.
    public struct MalformedLinkError: Error, Equatable {}

    /// Octets of a whole link.
    public static let maximumLength = 1024
    static let idLimit = 64

    /// - Parameter text: the whole link, as it was read. Which house it names is not asked: a tag may have been written when it had another
    ///   address.
    public init(_ text: String) throws(MalformedLinkError) {
        guard text.utf8.count <= Self.maximumLength else { throw MalformedLinkError() }
        let text = PastedText.tagLink(text)
        if let live = try? SignedActionLink(text) {
            self = .live(live)
            return
        }
        guard let parts = URLComponents(string: text), ["https", "http"].contains(parts.scheme?.lowercased()), parts.user == nil,
            parts.password == nil
        else { throw MalformedLinkError() }
        let id = try Self.id(parts.percentEncodedPath)
        guard let query = parts.percentEncodedQuery else {
            guard let id else { throw MalformedLinkError() }
            self = .staticTag(id: id)
            return
        }
        self = .touch(id: id, values: try Self.values(query))
    }

    /// Returns the part after `/t/`, or nil if there is none.
    private static func id(_ path: String) throws(MalformedLinkError) -> String? {
        // An extra slash is the same path.
        let parts = path.split(separator: "/")
        guard parts.count == 1 || parts.count == 2, parts[0] == "t" else { throw MalformedLinkError() }
        guard parts.count == 2 else { return nil }
        guard parts[1] != "action", parts[1].utf8.count <= idLimit, parts[1].utf8.allSatisfy(isPlain) else { throw MalformedLinkError() }
        return String(parts[1])
    }

    private static func values(_ query: String) throws(MalformedLinkError) -> [String: String] {
        var values: [String: String] = [:]
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // No value needs escaping, so no escape may be left.
            guard pair.count == 2, !pair[0].isEmpty, pair.allSatisfy({ $0.utf8.allSatisfy(isPlain) }), values.count < 8,
                values.updateValue(String(pair[1]), forKey: String(pair[0])) == nil
            else { throw MalformedLinkError() }
        }
        return values
    }

    /// A letter, a digit, a hyphen or an underscore.
    private static func isPlain(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
