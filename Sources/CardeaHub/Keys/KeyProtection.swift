/// The protection of the key that opens the house's own.
public struct KeyProtection: Hashable, Sendable {
    public let location: KeyLocation
    /// The seal of the credential, if this program had it sealed; nil otherwise.
    public let sealedBy: CredentialSeal?
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
            return "The house's key lies in hub.key too, beside what it opens: \(Self.copyWarning) Move it again: cardea-hub key move."
        }
        return switch (location, sealedBy) {
        case (.file, _):
            "The house's key lies in hub.key, beside what it opens: \(Self.copyWarning) Move it: cardea-hub key move --to credential."
        case (.credential, .tpm2), (.credential, .both):
            "The house's key is a systemd credential, sealed by this machine's TPM: who has the disk alone opens nothing."
        case (.credential, .host):
            """
            The house's key is a systemd credential, sealed by this machine's host key: who copies the house's folder opens nothing, who has \
            the whole disk does.
            """
        case (.credential, nil):
            """
            The house's key is a systemd credential. By what it is sealed cannot be seen from here: by the TPM it is safe from whoever has \
            the disk, by the host key from whoever copies the house's folder, and given in the clear from nobody.
            """
        case (.secretService, _):
            "The house's key lies in a keyring, which opens with its owner's password: the hub starts only while it is open."
        }
    }

    private static let copyWarning = "who copies the folder can read all of it."
}
