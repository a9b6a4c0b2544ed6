import Foundation

/// Generates new secrets.
public enum SecretGenerator {
    /// A token of 256 random bits, base64url, with a prefix by which leaks can be found.
    public static func token(_ kind: TokenKind) -> Secret {
        Secret(kind.rawValue + base64URL(randomBytes(32)))
    }

    /// A code to read aloud: 10 characters of an alphabet without look-alikes, about 49 bits.
    public static func spokenCode() -> Secret {
        var generator = SystemRandomNumberGenerator()
        return Secret(
            String((0..<10).map { _ in TypedPassCode.alphabet[Int.random(in: TypedPassCode.alphabet.indices, using: &generator)] }))
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
            TypedPassCode.alphabet[Int.random(in: TypedPassCode.alphabet.indices, using: &generator)]
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
