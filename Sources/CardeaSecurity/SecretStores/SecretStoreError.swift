/// Why a secret was not kept, given or taken away, in words that say how to mend it.
public enum SecretStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store was open, and nothing is there under this name.
    case notFound(name: String)
    /// The store is there and closed, so nobody knows what is in it.
    case locked(String)
    /// The store, or the system, does not let this program in.
    case denied(String)
    /// There is no store, or it does not answer.
    case unavailable(reason: String)
    /// The system said something that is not known here.
    case unexpectedStatus(code: String)
    /// What was kept is no longer what it was. It was left as it is.
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
