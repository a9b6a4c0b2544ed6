import CardeaSecurity

/// The reason why a house's key could not be read or changed, with the remedy.
public enum HouseKeyError: Error, Hashable, CustomStringConvertible {
    /// It does not lie where it belongs.
    case missing(KeyLocation, file: String)
    /// The key there belongs to another house.
    case wrongKey(KeyLocation, file: String)
    case cannotWrite(KeyLocation)
    case disk(_ path: String, _ reason: String)
    /// A value in the database is not sealed by the house's key.
    case doesNotOpen(table: String)
    case alreadyThere(KeyLocation)
    /// There is already a key at that path, which belongs to another house or does not open.
    case occupied(_ path: String)
    /// The house's key was never sealed to a recovery key.
    case noRecoveryKey
    case otherRecoveryKey

    public var description: String {
        switch self {
        case .missing(.file, let file):
            """
            The house's key \(file) is missing. Restore it from a backup, beside house.sqlite, or have the house opened by its recovery key: \
            cardea-hub key recover.
            """
        case .missing(.credential, _):
            """
            The house's key is systemd's credential \(KeyLocations.credentialName), and it is missing: the unit needs \
            LoadCredentialEncrypted=\(KeyLocations.credentialName), with the file in /etc/credstore.encrypted. Where it is lost, or was sealed by \
            another machine, have the house opened by its recovery key: cardea-hub key recover.
            """
        case .missing(.secretService, _):
            """
            The house's key is missing from the keyring. Unlock the one that has it, or have the house opened by its recovery key: \
            cardea-hub key recover.
            """
        case .wrongKey(.file, let file): "The key \(file) is another house's. Put back the hub.key that belongs to this house.sqlite."
        case .wrongKey(.credential, _):
            "The credential \(KeyLocations.credentialName) is another house's key. Give this service the one that belongs to this house.sqlite."
        case .wrongKey(.secretService, _): "The key in the keyring is another house's. Unlock the keyring of this house."
        case .cannotWrite(.credential):
            "A credential is sealed by systemd-creds, which is not available to this program. Run the command as root."
        case .cannotWrite: "No keyring answers. Start a keyring (Secret Service) and unlock it."
        case .disk(let path, let reason): "\(path) cannot be changed: \(reason)."
        case .doesNotOpen(table: "audit_signer"):
            """
            The key that signs the audit log (audit_signer) is damaged: it cannot be decrypted with the house's key. Restore the house from \
            a backup: cardea-hub restore.
            """
        case .doesNotOpen(table: "signing_keys"):
            """
            The key that signs access tokens (signing_keys) is damaged: it cannot be decrypted with the house's key. Restore the house from \
            a backup: cardea-hub restore.
            """
        case .doesNotOpen(let table):
            "A value in \(table) was changed and cannot be decrypted with the house's key. Restore the house from a backup."
        case .alreadyThere(let place): "The house's key is there already (\(place.rawValue))."
        case .occupied(let path):
            """
            \(path) holds a key that does not belong to this house. Rename it first: it may open another house, or an earlier state of \
            this one.
            """
        case .noRecoveryKey:
            """
            The house's key is not sealed to a recovery key: the house had none, or has not been started since. Restore hub.key from a \
            backup.
            """
        case .otherRecoveryKey: "This is not the house's recovery key. It may have been replaced by a later one: use that one."
        }
    }
}
