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
            APIResponseError(
                .conflict, "conflict", "Another person is signed in on that device and gets notifications there. They must sign out first.")
        case .tooMany:
            APIResponseError(.conflict, "conflict", "You have the maximum number of devices for notifications. Remove one first.")
        }
    }
}
