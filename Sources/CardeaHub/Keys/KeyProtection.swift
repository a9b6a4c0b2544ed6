/// The protection of the key that opens the house's own.
public struct KeyProtection: Hashable, Sendable {
    public let location: KeyLocation
    /// The seal of the credential, if this program had it sealed; nil otherwise.
    public let sealedBy: SystemdCredentialSeal?
    /// True if the key is in the house's folder, even if only as a copy.
    public let isBesideData: Bool

    /// True if the disk alone is not enough to get the key.
    public var isFull: Bool {
        guard !isBesideData else { return false }
        return switch location {
        case .credential: sealedBy == .tpm2 || sealedBy == .both
        case .secretService: true
        case .file: false
        }
    }

    /// `full` or `reduced`.
    public var level: String { isFull ? "full" : "reduced" }

    /// The meaning of this level in words, and how to get a better one.
    public var text: String {
        if location != .file, isBesideData {
            return "The house's key is also in hub.key, in the house's folder: \(Self.copyWarning) Move it again: cardea-hub key move."
        }
        return switch (location, sealedBy) {
        case (.file, _):
            "The house's key is in hub.key, in the house's folder: \(Self.copyWarning) Move it: cardea-hub key move --to credential."
        case (.credential, .tpm2), (.credential, .both):
            "The house's key is a systemd credential, sealed by this machine's TPM: a copy of the disk cannot be decrypted."
        case (.credential, .host):
            """
            The house's key is a systemd credential, sealed by this machine's host key: a copy of the house's folder cannot be decrypted, a \
            copy of the whole disk can.
            """
        case (.credential, nil):
            """
            The house's key is a systemd credential. How it is sealed is unknown here: sealed by the TPM it protects a copy of the disk, by the \
            host key a copy of the house's folder, and unsealed nothing.
            """
        case (.secretService, _):
            "The house's key is in a keyring that its owner's password unlocks: the hub starts only while the keyring is unlocked."
        }
    }

    private static let copyWarning = "a copy of the folder can be decrypted completely."
}
