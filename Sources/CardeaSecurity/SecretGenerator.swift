import Foundation

/// Where new secrets come from.
public enum SecretGenerator {
    /// A token of 256 random bits, base64url, with a prefix by which leaks can be found.
    public static func token(_ kind: TokenKind) -> Secret {
        Secret(kind.rawValue + base64URL(randomBytes(32)))
    }

    /// A code to read aloud: 10 characters of an alphabet without look-alikes, about 49 bits.
    public static func spokenCode() -> Secret {
        var generator = SystemRandomNumberGenerator()
        return Secret(String((0..<10).map { _ in SpokenCode.alphabet[Int.random(in: SpokenCode.alphabet.indices, using: &generator)] }))
    }

    /// The last step of a webhook's URL: 128 random bits, base64url, in 22 characters. Devices have short fields for an URL.
    public static func webhookSecret() -> Secret { Secret(base64URL(randomBytes(16))) }

    public static func randomBytes(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// A code that lets its person in when nothing else does: 24 characters of the alphabet of spoken codes, about 117 bits, so that
    /// SHA-256 keeps it safely. It is typed from paper.
    public static func recoveryCode() -> Secret {
        var generator = SystemRandomNumberGenerator()
        let characters = (0..<RecoveryCode.length).map { _ in
            SpokenCode.alphabet[Int.random(in: SpokenCode.alphabet.indices, using: &generator)]
        }
        return Secret(String(characters))
    }

    /// Six digits to show on a phone and type elsewhere. A million of them: they are no secret to be trusted alone.
    public static func pairingDigits() -> Secret {
        var generator = SystemRandomNumberGenerator()
        return Secret((0..<6).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined())
    }

    /// Four digits by which two people tell that they mean the same phone. They are no secret.
    public static func approvalNumber() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    }

    static func base64URL(_ data: Data) -> String { Base64URL.encode(data) }
}

public enum TokenKind: String, Sendable, CaseIterable {
    case guestPass = "cardea_gp_"
    case guestLink = "cardea_gl_"
    /// A guest's phone that waits for a yes and has no key: by it the phone is known again.
    case guestClaim = "cardea_gc_"
    case refresh = "cardea_rt_"
    case claim = "cardea_cl_"
    case invitation = "cardea_iv_"
    case ticket = "cardea_tk_"
    case api = "cardea_at_"
    case waitingPhone = "cardea_dc_"
    /// A phone's own: it says where it is renewed.
    case phoneRefresh = "cardea_pr_"
}

/// The code a guest types.
public enum SpokenCode {
    /// No 0 and O, no 1, I and L, no U and V: what one hears or reads is what one types.
    public static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTWXYZ")
    public static let length = 10

    /// The code from however it was typed or pasted; nil when it cannot be a spoken code.
    public static func normalized(_ typed: String) -> String? { PastedText.code(typed, of: length) }
}

/// The six digits that a phone shows and its owner types. They say which phone is meant, and open nothing by themselves.
public enum PairingDigits {
    public static let count = 6

    /// The digits from however they were typed or pasted, such as `123 456`; nil where they are more or fewer, or of another script.
    public static func normalized(_ typed: String) -> String? {
        PastedText.code(typed, of: count).flatMap { $0.allSatisfy(\.isNumber) ? $0 : nil }
    }

    /// As they are shown: `123 456`.
    public static func formatted(_ digits: String) -> String { "\(digits.prefix(count / 2)) \(digits.dropFirst(count / 2))" }
}

/// The code on the paper in the drawer.
public enum RecoveryCode {
    public static let length = 24

    /// As it is written down: groups of four.
    public static func formatted(_ code: Secret) -> String {
        let characters = Array(code.reveal())
        return stride(from: 0, to: characters.count, by: 4).map { String(characters[$0..<min($0 + 4, characters.count)]) }
            .joined(separator: "-")
    }

    /// The code as it is kept, from however it was typed; nil when it cannot be one.
    public static func normalized(_ typed: String) -> Secret? {
        PastedText.code(typed, of: length).map { Secret($0) }
    }
}
