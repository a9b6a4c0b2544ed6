import CardeaHub
import CardeaModel
import CardeaSecurity
import HTTPTypes

extension AutomationTrigger.Evidence {
    /// Names those who can cause this evidence, for the person who is about to let a door open on it.
    fileprivate var warning: String {
        switch self {
        case .sensor: "Anyone who can reach the sensor, or the system that reports it, can open the door."
        case .event: "Anyone whom a camera mistakes for the expected person, or who can send an event to the house, can open the door."
        case .presence: "Anyone who has the phone of a resident can open the door."
        case .refusal: "Anyone who tries the door and is refused can open it."
        case .outage: "Anyone who can cut the device's power or network can open the door."
        }
    }
}

/// The reason why a passkey or a token is refused, or not made.
extension APIResponseError {
    static let stepUpRequired = stepUp("")

    private static func stepUp(_ words: String, details: [String: JSONValue] = [:]) -> APIResponseError {
        APIResponseError(
            .forbidden, "step_up_required",
            words + "Confirm first with your password or a passkey. The confirmation is valid for five minutes.",
            details: details.merging(["methods": ["password", "passkey"], "lasts": .number(StepUp.validity)]) { _, new in new })
    }

    /// Says who could make the automation open.
    static func stepUp(toOpenOn evidence: Set<AutomationTrigger.Evidence>) -> APIResponseError {
        let known = AutomationTrigger.Evidence.allCases.filter(evidence.contains)
        return stepUp(
            "This automation can open a door without anyone asking. \(known.map(\.warning).joined(separator: " ")) ",
            details: ["opens_on": .array(known.map { .string($0.rawValue) })])
    }

    static func passkeys(_ problem: Passkeys.CredentialError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("name", problem.sentence)
        case .tooMany: APIResponseError(.conflict, "conflict", "You have the maximum number of passkeys. Remove one first.")
        case .alreadyRegistered: APIResponseError(.conflict, "conflict", "This passkey is already registered. Use another authenticator.")
        case .unknownChallenge:
            APIResponseError(
                .unauthorized, "passkey_refused", "The passkey request has expired, or was used before. Try again.",
                details: ["reason": "challenge"]
            )
        case .throttled(let wait): .rateLimited(wait)
        case .unknownPasskey: passkeyRefused("unknown_passkey", "This passkey is not registered here. Sign in another way.")
        case .ended:
            passkeyRefused("ended", "This passkey is disabled, because it may have been copied. Sign in another way and remove it.")
        case .refused(.cloned):
            passkeyRefused("cloned", "This passkey may have been copied, so it was disabled. Sign in another way and remove it.")
        case .refused(let problem):
            passkeyRefused(
                SnakeCase.convert("\(problem)"), "The passkey's answer does not match the request, so you were not signed in. Try again.")
        }
    }

    private static func passkeyRefused(_ reason: String, _ message: String) -> APIResponseError {
        APIResponseError(.unauthorized, "passkey_refused", message, details: ["reason": .string(reason)])
    }

    static func apiTokens(_ problem: APITokens.APITokenError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("name", problem.sentence)
        case .invalid(let field, let message): .validation(field, message)
        case .forbidden(let refusal): .forbidden(refusal)
        }
    }
}
