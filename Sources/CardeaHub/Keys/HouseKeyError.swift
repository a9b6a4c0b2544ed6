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
        case .wrongKey(.secretService, _): "The key in the keyring is another house's."
        case .cannotWrite(.credential): "A credential is sealed by systemd-creds, which this program was not told of."
        case .cannotWrite: "No keyring answers here."
        case .disk(let path, let reason): "\(path) cannot be changed: \(reason)."
        case .doesNotOpen(table: "audit_signer"):
            """
            The key by which the house signs its record (audit_signer) is damaged: it does not open with the house's key. Put the house back \
            from a backup: cardea-hub restore.
            """
        case .doesNotOpen(table: "signing_keys"):
            """
            The key by which the house knows who is signed in (signing_keys) is damaged: it does not open with the house's key. Put the house \
            back from a backup: cardea-hub restore.
            """
        case .doesNotOpen(let table):
            "Something in \(table) was changed, and does not open with the house's key. Put the house back from a backup."
        case .alreadyThere(let place): "The house's key lies there already (\(place.rawValue))."
        case .occupied(let path):
            """
            In \(path) lies a key that is none of this house's. Keep it under another name first: another house may be opened by it, or this \
            one as it was.
            """
        case .noRecoveryKey:
            """
            The house's key was not sealed to a recovery key: the house had none, or has not been started since. Put hub.key back from a \
            backup.
            """
        case .otherRecoveryKey: "This is another recovery key than the house's. A later one may have taken its place."
        }
    }
}
