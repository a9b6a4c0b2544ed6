import Foundation

/// A recent proof of identity. Changes of who may come in require one: an unattended phone, or a copied token, is not enough.
public enum StepUp {
    /// Seconds for which a proof counts.
    public static let validity: TimeInterval = 300

    /// - Parameter provenAt: when a password, a passkey or a recovery code was shown in this session; renewing it proves nothing.
    public static func isFresh(_ provenAt: Date?, at now: Date) -> Bool {
        guard let provenAt else { return false }
        // A small correction of the clock revokes nothing; a clock set far back makes no proof fresher.
        return (-60..<validity).contains(now.timeIntervalSince(provenAt))
    }
}
