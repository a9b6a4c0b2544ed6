import Foundation

/// The comparison of user names: the UsernameCaseMapped profile of PRECIS (RFC 8265, section 3.3).
public enum UserName {
    /// The form in which a name is stored and looked up: letters of full or half width in their ordinary width, lower case, NFC.
    public static func prepared(_ typed: String) -> String {
        let plain = typed.unicodeScalars.reduce(into: "") { text, scalar in
            let isOfWidth = (0xFF01...0xFFEE).contains(scalar.value)
            text += isOfWidth ? String(scalar).precomposedStringWithCompatibilityMapping : String(scalar)
        }
        return legacyForm(plain).precomposedStringWithCanonicalMapping
    }

    /// Returns the stored names that this input may mean, in the order in which they are looked up.
    ///
    /// The first is the form of older versions: two people whose names differ by width alone keep their exact names.
    public static func candidates(_ typed: String) -> [String] {
        let (exact, prepared) = (legacyForm(typed), prepared(typed))
        return exact.utf8.elementsEqual(prepared.utf8) ? [prepared] : [exact, prepared]
    }

    private static func legacyForm(_ typed: String) -> String {
        // Lowercased here, because SQLite folds ASCII only.
        typed.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }
}
