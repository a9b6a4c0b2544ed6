import CardeaModel
import Foundation

/// The reason why a guest's request failed: one of the guest family's error codes, or no answer at all.
public enum GuestAccessError: Error, Hashable, Sendable {
    /// The house refused. `code` is one of the guest family's.
    case refused(APIError)
    /// The lock has not answered, or its answer was lost. It may have opened; the use stays counted.
    case outcomeUnknown(APIError?)
    /// The house was not reached, or the answer is not valid.
    case client(ClientError)

    init(_ response: TransportResponse) {
        let error = APIError(response)
        self = error.code == "outcome_unknown" ? .outcomeUnknown(error) : .refused(error)
    }

    /// True if this pass has ended here and only a new code helps. No other error is a reason to delete it.
    public var endsPass: Bool {
        guard case .refused(let error) = self, error.status == 401 else { return false }
        return ["token_expired", "token_revoked", "token_max_uses_exceeded"].contains(error.code)
    }

    /// The reason why the proof of the pass's key was refused; nil if the refusal has another cause.
    public var proofRefusal: ProofRefusal? {
        guard case .refused(let error) = self, error.status == 401 else { return nil }
        return ProofRefusal(rawValue: error.code)
    }

    /// True if the same request may succeed later with no change on this side.
    public var isRetryable: Bool {
        switch self {
        case .refused(let error): error.isRetryable
        case .outcomeUnknown: false
        case .client(let error): error.isRetryable
        }
    }

    public var text: String {
        switch self {
        case .refused(let error): error.message
        case .outcomeUnknown: "We are not sure it opened. The lock has not answered. Try the handle first."
        case .client(let error): error.text
        }
    }
}

extension GuestAccessError: LocalizedError {
    public var errorDescription: String? { text }
}
