import Foundation

/// The sources of the key that seals a file of secrets, the most secure first.
enum SealedFileKeySource: String, Codable, CaseIterable {
    /// systemd's credential `cardea-key`, which the service manager gives at each start.
    case credential
    /// The kernel's keyring, where the person or their login put it. It is read there and never made there: it would be gone with a restart.
    case keyring
    /// A file beside the sealed one.
    case file
}
