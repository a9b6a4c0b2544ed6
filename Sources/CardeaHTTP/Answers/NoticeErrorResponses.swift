import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Errors of notifications and of their settings, as status and code.
extension APIResponseError {
    static func notices(_ problem: Notices.NoticeError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .field(let problem): .field(problem)
        case .invalidField(let field, let what): .validation(field, what)
        case .stale(let preferences): .preconditionFailed(NotificationsAnswer(preferences), version: preferences.version)
        }
    }

    static func push(_ problem: PushSubscriptions.SubscriptionError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .field(let field, let what): .validation(field, what)
        case .belongsToOther:
            APIResponseError(.conflict, "conflict", "Somebody else is signed in there, and is told there. They sign out first.")
        case .tooMany: APIResponseError(.conflict, "conflict", "You are told in as many places as the house remembers. Remove one first.")
        }
    }
}
