import CardeaHub
import CardeaModel
import CardeaSecurity
import HTTPTypes

extension AutomationTrigger.Evidence {
    /// Names those who can cause this evidence, for the person who is about to let a door open on it.
    fileprivate var warning: String {
        switch self {
        case .sensor: "Whoever can reach the sensor, or the system that it speaks through, can open the door."
        case .event: "Whoever a camera takes for what it waits for, or who can send the house an event, can open the door."
        case .presence: "Whoever has the phone of somebody who lives here can open the door."
        case .refusal: "Anybody who tries the door and is refused can open it."
        case .outage: "Whoever can cut off the device's power or network can open the door."
        }
    }
}

/// The reason why a passkey or a token is refused, or not made.
extension APIResponseError {
    static let stepUpRequired = stepUp("")

    private static func stepUp(_ words: String, details: [String: JSONValue] = [:]) -> APIResponseError {
        APIResponseError(
            .forbidden, "step_up_required",
            words + "First say again that it is you, with your password or a passkey; it counts for five minutes.",
            details: details.merging(["methods": ["password", "passkey"], "lasts": .number(StepUp.validity)]) { _, new in new })
    }

    /// Says who could make the automation open.
    static func stepUp(toOpenOn evidence: Set<AutomationTrigger.Evidence>) -> APIResponseError {
        let known = AutomationTrigger.Evidence.allCases.filter(evidence.contains)
        return stepUp(
            "This lets somebody in by itself. \(known.map(\.warning).joined(separator: " ")) ",
            details: ["opens_on": .array(known.map { .string($0.rawValue) })])
    }

    static func passkeys(_ problem: Passkeys.CredentialError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("name", problem.sentence)
        case .tooMany: APIResponseError(.conflict, "conflict", "You have as many passkeys as one may have. Remove one first.")
        case .alreadyRegistered: APIResponseError(.conflict, "conflict", "This passkey is known already.")
        case .unknownChallenge:
            APIResponseError(
                .unauthorized, "passkey_refused", "That took too long, or was used before. Try once more.", details: ["reason": "challenge"]
            )
        case .throttled(let wait): .rateLimited(wait)
        case .unknownPasskey: passkeyRefused("unknown_passkey", "The house does not know this passkey. Sign in another way.")
        case .ended:
            passkeyRefused("ended", "This passkey was ended, because there seem to be two of it. Sign in another way, and remove it.")
        case .refused(.cloned):
            passkeyRefused("cloned", "There seem to be two of this passkey, so it was ended. Sign in another way, and remove it.")
        case .refused(let problem):
            passkeyRefused(SnakeCase.convert("\(problem)"), "What the passkey said is not what was asked of it. Nobody was signed in.")
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
