import Foundation

/// What a password must be that somebody chooses from now on. Those that are kept are judged no more: they let in whoever chose them.
///
/// NIST SP 800-63B, section 5.1.1.2: its length is what counts, and what others try first is refused.
public enum PasswordPolicy {
    /// Characters.
    public static let length = 8...128

    public enum PolicyError: Error, Hashable, Sendable, CaseIterable {
        case length
        /// Among the 10 000 that are used most.
        case common
        /// Little else than a name that whoever guesses knows.
        case derivedFromName
        /// A control character is in it, or another one that nobody sees.
        case invisibleCharacter
    }

    /// - Parameter names: the user's, the person's, the house's.
    /// - Returns: the password in the form in which it is hashed.
    @discardableResult
    public static func check(_ password: Secret, names: [String]) throws(PolicyError) -> Secret {
        let prepared: Secret
        do throws(OpaqueString.OpaqueStringError) { prepared = try OpaqueString.prepared(password) } catch { throw .invisibleCharacter }
        let text = prepared.reveal()
        guard length.contains(text.count), text.utf8.count <= 1024 else { throw .length }
        let plain = folded(text)
        guard !CommonPasswords.all.contains(plain) else { throw .common }
        guard !consistsMostly(plain, of: nameParts(names)) else { throw .derivedFromName }
        return prepared
    }

    /// Whether all but digits and marks is names, or all but three characters.
    private static func consistsMostly(_ password: String, of words: [String]) -> Bool {
        var rest = password
        for word in words { rest = rest.replacingOccurrences(of: word, with: "") }
        guard rest != password else { return false }
        return rest.count < 4 || !rest.contains(where: \.isLetter)
    }

    /// The longest first, so that the whole name goes before a part of it.
    private static func nameParts(_ names: [String]) -> [String] {
        let whole = (names + ["cardea"]).map(folded)
        let parts = whole.flatMap { $0.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(String.init) }
        let joined = whole.map { $0.filter { !$0.isWhitespace } }
        return Set(whole + parts + joined).filter { $0.count >= 3 }.sorted { ($0.count, $0) > ($1.count, $1) }
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
