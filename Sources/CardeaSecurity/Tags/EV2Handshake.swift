import Crypto
import CryptoExtras
import Foundation

/// The three passes of mutual authentication between an NTAG 424 DNA and a reader that holds one of its keys (NXP AN12196,
/// "AuthenticateEV2First").
public struct EV2Handshake: Sendable {
    private let key: TagKey
    private let ours: Data
    private let theirs: Data
    /// 32 octets, for the tag.
    public let answer: Data

    /// - Parameters:
    ///   - challenge: the 16 octets that the tag began with.
    ///   - random: 16 octets.
    /// - Throws: `EV2Session.Problem`
    public init(_ key: TagKey, challenge: Data, random: Data = SecretGenerator.randomBytes(16)) throws {
        guard challenge.count == 16, random.count == 16 else { throw EV2Session.SessionError.malformed }
        self.key = key
        ours = random
        theirs = try AESCBC.decrypt(challenge, key, start: AESCBC.zero)
        answer = try AESCBC.encrypt(random + Self.rotatedLeft(theirs), key, start: AESCBC.zero)
    }

    /// - Parameter answer: the 32 octets that the tag ended with.
    /// - Throws: `EV2Session.Problem`
    public func session(_ answer: Data) throws -> EV2Session {
        guard answer.count == 32 else { throw EV2Session.SessionError.malformed }
        let plain = try AESCBC.decrypt(answer, key, start: AESCBC.zero)
        guard constantTimeEquals(Data(plain.dropFirst(4).prefix(16)), Self.rotatedLeft(ours)) else { throw EV2Session.SessionError.forged }
        // Six of their octets are mixed into ours, so that both sides contribute (AN12196, "Session Vectors").
        let (a, b) = ([UInt8](ours), [UInt8](theirs))
        let mixed = zip(a[2..<8], b[0..<6]).map { $0 ^ $1 }
        let rest = a[0..<2] + mixed + b[6..<16] + a[8..<16]
        return EV2Session(
            encryption: TagKey(unchecked: try key.mac(of: [0xA5, 0x5A, 0x00, 0x01, 0x00, 0x80] + rest)),
            authentication: TagKey(unchecked: try key.mac(of: [0x5A, 0xA5, 0x00, 0x01, 0x00, 0x80] + rest)),
            transaction: Data(plain.prefix(4)))
    }

    /// With its first octet behind the others.
    private static func rotatedLeft(_ octets: Data) -> Data { octets.dropFirst() + octets.prefix(1) }
}
