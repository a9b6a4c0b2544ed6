import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Why somebody is not told, or may not say what they want to be told.
extension Problem {
    static func notices(_ problem: Notices.Problem) -> Problem {
        switch problem {
        case .notFound: .notFound
        case .field(let problem): .field(problem)
        case .word(let field, let what): .validation(field, what)
        case .stale(let preferences): .stale(NotificationsAnswer(preferences), version: preferences.version)
        }
    }

    static func push(_ problem: PushSubscriptions.Problem) -> Problem {
        switch problem {
        case .notFound: .notFound
        case .field(let field, let what): .validation(field, what)
        case .anothers:
            Problem(.conflict, "conflict", "Somebody else is signed in there, and is told there. They sign out first.")
        case .tooMany: Problem(.conflict, "conflict", "You are told in as many places as the house remembers. Remove one first.")
        }
    }
}
