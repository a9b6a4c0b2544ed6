import Foundation

/// The rules for new passwords. Existing ones are not checked again: they remain valid for signing in.
///
/// NIST SP 800-63B, section 5.1.1.2: length is what counts, and the passwords that attackers try first are refused.
public enum PasswordPolicy {
    /// Characters.
    public static let length = 8...128

    public enum PolicyError: Error, Hashable, Sendable, CaseIterable {
        case length
        /// It is among the 10 000 most used ones.
        case common
        /// It is little else than a name that a guesser knows.
        case derivedFromName
        /// It contains a control character, or another invisible one.
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

    /// Returns whether only digits and marks, or at most three characters, remain without the names.
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
