import Foundation

/// A recent proof of identity. Changes of who may come in require one: an unattended phone, or a copied token, is not enough.
public enum StepUp {
    /// Seconds for which a proof counts.
    public static let validity: TimeInterval = 300

    /// - Parameter provenAt: when a password, a passkey or a recovery code was shown in this session; renewing it proves nothing.
    public static func isFresh(_ provenAt: Date?, at now: Date) -> Bool {
        guard let provenAt else { return false }
        // A clock that was put right by a moment takes nothing away; one that was set far back makes nothing fresher than it was.
        return (-60..<validity).contains(now.timeIntervalSince(provenAt))
    }
}
