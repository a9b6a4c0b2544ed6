import Crypto
import Foundation

/// The reason why the house's key could not be used, with the remedy.
public enum KeyFileError: Error, Hashable, CustomStringConvertible {
    case wrongLength(Int)
    case readableByOthers(path: String)
    case unreadable(path: String, reason: String)

    public var description: String {
        switch self {
        case .wrongLength(let count): "The house's key must be 32 bytes long; it has \(count). Restore it from a backup."
        case .readableByOthers(let path): "The house's key \(path) may be read by others. Run: chmod 600 \(path)"
        case .unreadable(let path, let reason): "The house's key \(path) cannot be read: \(reason)."
        }
    }
}
