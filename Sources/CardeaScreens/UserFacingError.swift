import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

/// The reason for a failure, for a screen to show.
public struct UserFacingError: Error, Hashable, Sendable {
    /// A short title.
    public let title: String
    /// The message: cause, reason and next step.
    public let text: String
    /// True if the same may succeed later with no change on this side.
    public let canRetry: Bool
    /// True if signing in again helps.
    public let requiresSignIn: Bool

    public init(title: String, text: String, canRetry: Bool = false, asksToSignIn: Bool = false) {
        self.title = title
        self.text = text
        self.canRetry = canRetry
        self.requiresSignIn = asksToSignIn
    }

    /// - Parameter words: the texts for the house's own refusals.
    /// - Returns: nil if the caller was cancelled, which is no problem.
    public init?(_ error: any Error, words: RefusalText? = nil) {
        switch error {
        case is CancellationError: return nil
        case let problem as UserFacingError: self = problem
        case let error as ClientError:
            guard error != .cancelled else { return nil }
            self.init(error, words)
        case let error as GuestAccessError:
            switch error {
            case .client(.cancelled): return nil
            case .client(let error): self.init(error, words)
            case .refused(let answer), .outcomeUnknown(let answer?): self.init(.api(answer), words)
            case .outcomeUnknown(nil): self.init(title: "Not sure", text: error.text)
            }
        case let problem as PINError: self.init(title: "Not opened", text: problem.description)
        case let problem as SecretStoreError: self.init(title: "The key of this pass cannot be reached", text: problem.description)
        case OfflineQueueError.unresolvedConflict(let name):
            self.init(title: "Not done", text: "\(name) was changed here and elsewhere. Decide first, in the list of unsent changes.")
        case let refusal as OfflineQueueError: self.init(title: "Not done", text: refusal.localizedDescription, canRetry: true)
        default: self.init(title: "An unexpected error occurred", text: error.localizedDescription, canRetry: true)
        }
    }

    private init(_ error: ClientError, _ words: RefusalText?) {
        if case .api(let answer) = error, let words {
            self.init(title: "Not done", text: words.sentence(for: answer), canRetry: error.isRetryable)
        } else {
            self.init(title: error.title, text: error.text, canRetry: error.isRetryable, asksToSignIn: error == .unauthorized)
        }
    }
}
