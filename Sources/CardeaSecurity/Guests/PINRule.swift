import Foundation

/// The rule for a PIN: 6 to 64 characters.
public enum PINRule {
    public static func isValid(_ pin: Secret) -> Bool { (6...64).contains(pin.reveal().count) }
}
