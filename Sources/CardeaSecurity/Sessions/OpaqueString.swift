import Foundation

/// Secrets that people type, compared as letters and not as bytes: the OpaqueString profile of PRECIS (RFC 8265, section 4.2).
///
/// One keyboard writes an umlaut as one character, another as a letter and its dots. Both are the same password.
public enum OpaqueString {
    public enum OpaqueStringError: Error, Hashable, Sendable {
        /// A control character, or another invisible one.
        case invisibleCharacter
    }

    /// The form in which a new secret is hashed: without byte order marks, every space as U+0020, in NFC. Its case stays.
    public static func prepared(_ typed: Secret) throws(OpaqueStringError) -> Secret {
        let text = normalized(typed.reveal())
        guard !text.unicodeScalars.contains(where: isInvisible) else { throw .invisibleCharacter }
        return Secret(text)
    }

    /// The forms in which a secret may have been hashed, today's first. Secrets of older versions were hashed as they were typed.
    ///
    /// Plain ASCII has one form, and each form occurs once.
    ///
    /// - Parameter isOfFile: also in the form read from a file that began with a byte order mark.
    public static func candidates(_ typed: Secret, isOfFile: Bool = false) -> [Secret] {
        let raw = typed.reveal()
        let text = normalized(raw)
        var forms = [raw, raw.precomposedStringWithCanonicalMapping, raw.decomposedStringWithCanonicalMapping]
        if let prepared = try? prepared(typed) { forms.insert(prepared.reveal(), at: 0) }
        forms.append(text.decomposedStringWithCanonicalMapping)
        if isOfFile { forms += [raw, text, text.decomposedStringWithCanonicalMapping].map { "\u{FEFF}" + $0 } }
        // Compared by bytes: Swift treats canonically equivalent strings as equal.
        var known: Set<[UInt8]> = []
        return forms.filter { known.insert(Array($0.utf8)).inserted }.map { Secret($0) }
    }

    private static func normalized(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar.value != 0xFEFF {
            scalars.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        return String(scalars).precomposedStringWithCanonicalMapping
    }

    /// Joiners and tags stay: signs such as a family or a flag are made of them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: true
        case .format: scalar.properties.isDefaultIgnorableCodePoint && ![0x200C, 0x200D].contains(scalar.value) && scalar.value < 0xE0020
        default: false
        }
    }
}
