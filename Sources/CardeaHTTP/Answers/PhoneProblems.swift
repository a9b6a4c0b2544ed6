import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Why a phone is not paired, or not heard.
extension Problem {
    static func pairing(_ problem: PhonePairings.Problem) -> Problem {
        switch problem {
        case .invalidCode:
            Problem(.unauthorized, "pairing_code_invalid", "Invalid or expired pairing code", challenge: .bare)
        case .notFound: Problem(.notFound, "not_found", "No phone shows these digits now, or waits by this name.")
        case .throttled(let wait): .rateLimited(wait)
        case .full(let wait): .rateLimited(wait)
        }
    }

    static func phones(_ problem: Phones.Problem) -> Problem {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("device_name", problem.sentence)
        case .beyondPhones:
            Problem(
                .forbidden, "forbidden", "A phone may not do this. Sign in in a browser or on the command line.",
                details: ["reason": "beyond_phones"], challenge: .insufficientScope)
        }
    }

    static func phoneWords(_ problem: PhoneWords.Problem) -> Problem {
        switch problem {
        case .deviceID: .validation("device_id", "is a UUID")
        case .name(let problem): .validation("device_name", problem.sentence)
        case .model(.tooLong): .validation("device_model", "has at most \(PhoneWords.modelLimit) characters")
        case .model(let problem): .validation("device_model", problem.sentence)
        }
    }

    /// The words of Seed 003's contract, where it has its own.
    static func ofMobileFamily(_ error: any Error, isRefresh: Bool) -> Problem {
        switch error {
        case Cameras.Problem.notFound: Problem(.notFound, "camera_not_found", "Camera not found")
        case Cameras.Problem.offline: Problem(.serviceUnavailable, "camera_offline", "Camera is offline", retryAfter: 10)
        case Sessions.Problem.unauthorized where isRefresh:
            Problem(.unauthorized, "unauthorized", "Invalid or expired refresh token", challenge: .invalidToken)
        case Sessions.Problem.reused where isRefresh:
            Problem(.unauthorized, "token_reused", "Invalid or expired refresh token", challenge: .invalidToken)
        default: Problem(error)
        }
    }
}
