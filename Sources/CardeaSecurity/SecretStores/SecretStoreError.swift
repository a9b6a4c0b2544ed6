/// The reason why a secret could not be stored, loaded or deleted, with the remedy.
public enum SecretStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store was open, and has no secret of this name.
    case notFound(name: String)
    /// The store is locked, so its content is unknown.
    case locked(String)
    /// The store, or the system, denied access to this program.
    case denied(String)
    /// There is no store, or it does not answer.
    case unavailable(reason: String)
    /// The system returned an unknown status.
    case unexpectedStatus(code: String)
    /// The stored data is damaged or was changed. It was left as it is.
    case corrupted(String)

    public var description: String {
        switch self {
        case .notFound(let name): "Nothing is kept under the name \(name). Save it first."
        case .locked(let how): how
        case .denied(let how): how
        case .unavailable(let reason): "Secrets cannot be kept here: \(reason)."
        case .unexpectedStatus(let code):
            "The keeper of secrets answered \(code), which is not known here. Try again; if it stays, report it."
        case .corrupted(let how): how
        }
    }
}
