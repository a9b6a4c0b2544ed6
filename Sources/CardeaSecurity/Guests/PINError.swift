import Foundation

/// The reason why a PIN did not give the key.
public enum PINError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not 6 to 64 characters.
    case invalid
    /// Not the PIN; so many tries are left.
    case wrong(left: Int)
    /// Seconds until the next try is accepted.
    case wait(TimeInterval)
    /// It was wrong too often, and the key is gone.
    case erased

    public var description: String {
        switch self {
        case .invalid: "A PIN has 6 to 64 characters. Letters make it much better than digits alone."
        case .wrong(let left): "This is not the PIN. \(left == 1 ? "One try is" : "\(left) tries are") left; then the key is taken away."
        case .wait(let seconds): "Too many wrong PINs. Try again in \(Int(seconds.rounded(.up))) s."
        case .erased: "The PIN was wrong too often, so the key of this pass is gone. Ask the house for a new link."
        }
    }
}
