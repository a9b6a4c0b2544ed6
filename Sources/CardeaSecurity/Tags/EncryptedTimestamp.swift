import Crypto
import CryptoExtras
import Foundation

/// The moment in a button's message, where it says `%T`, as devices of the seed's kind read it (Seed 002): one block of AES-128, in small
/// hexadecimal digits.
///
/// It is bound to no command and has a sum for a check, so that it proves little. New devices are sent the house's own envelope.
public enum EncryptedTimestamp {
    /// - Parameters:
    ///   - key: the device's `timestampKey`.
    ///   - noise: 11 octets.
    public static func make(at moment: Date, _ key: TagKey, noise: Data = SecretGenerator.randomBytes(11)) throws -> String {
        let seconds = UInt32(clamping: Int64(moment.timeIntervalSince1970.rounded(.down)))
        var block = [UInt8](noise.prefix(4))
        block += (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (8 * $0)) }
        block += noise.dropFirst(4).prefix(7)
        block.append(block.reduce(0, &+))
        try AES.permute(&block, key: key.key)
        return Hexadecimal.encode(block)
    }
}
