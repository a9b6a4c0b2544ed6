import Foundation

/// A short name for content, to tell one version from another. It guards nothing.
enum ContentHash {
    /// FNV-1a, 64 bits, as hex.
    static func of(_ parts: [Data]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return String(hash, radix: 16)
    }
}
