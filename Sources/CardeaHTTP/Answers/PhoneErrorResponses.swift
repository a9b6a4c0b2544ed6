import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Errors of phones and their pairing, as status and code.
extension APIResponseError {
    static func pairing(_ problem: PhonePairings.PairingError) -> APIResponseError {
        switch problem {
        case .invalidCode:
            APIResponseError(.unauthorized, "pairing_code_invalid", "Invalid or expired pairing code", challenge: .bare)
        case .notFound:
            APIResponseError(.notFound, "not_found", "No phone waits with these digits or this id. Check the digits on the phone.")
        case .throttled(let wait): .rateLimited(wait)
        case .full(let wait): .rateLimited(wait)
        }
    }

    static func phones(_ problem: Phones.PhoneError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("device_name", problem.sentence)
        case .notAllowedForPhones:
            APIResponseError(
                .forbidden, "forbidden", "A paired phone may not do this. Sign in in a browser or on the command line.",
                details: ["reason": "beyond_phones"], challenge: .insufficientScope)
        }
    }

    static func phoneDescription(_ problem: PhoneDescription.DescriptionError) -> APIResponseError {
        switch problem {
        case .deviceID: .validation("device_id", "must be a UUID")
        case .name(let problem): .validation("device_name", problem.sentence)
        case .model(.tooLong): .validation("device_model", "must have at most \(PhoneDescription.modelLimit) characters")
        case .model(let problem): .validation("device_model", problem.sentence)
        }
    }

    /// The words of Seed 003's contract, if it has its own.
    static func forMobileFamily(_ error: any Error, isRefresh: Bool) -> APIResponseError {
        switch error {
        case Cameras.CameraError.notFound: APIResponseError(.notFound, "camera_not_found", "Camera not found")
        case Cameras.CameraError.offline: APIResponseError(.serviceUnavailable, "camera_offline", "Camera is offline", retryAfter: 10)
        case Sessions.SessionError.unauthorized where isRefresh:
            APIResponseError(.unauthorized, "unauthorized", "Invalid or expired refresh token", challenge: .invalidToken)
        case Sessions.SessionError.reused where isRefresh:
            APIResponseError(.unauthorized, "token_reused", "Invalid or expired refresh token", challenge: .invalidToken)
        default: APIResponseError(error)
        }
    }
}
