import CardeaHub
import CardeaModel
import CardeaSecurity
import HTTPTypes

/// Why a passkey or a token is not taken, or not made.
extension Problem {
    static let stepUpRequired = Problem(
        .forbidden, "step_up_required", "First say again that it is you, with your password or a passkey; it counts for five minutes.",
        details: ["methods": ["password", "passkey"], "lasts": .number(StepUp.lasts)])

    static func passkeys(_ problem: Passkeys.Problem) -> Problem {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("name", problem.sentence)
        case .tooMany: Problem(.conflict, "conflict", "You have as many passkeys as one may have. Remove one first.")
        case .alreadyRegistered: Problem(.conflict, "conflict", "This passkey is known already.")
        case .unknownChallenge:
            Problem(
                .unauthorized, "passkey_refused", "That took too long, or was used before. Try once more.", details: ["reason": "challenge"]
            )
        case .throttled(let wait): .rateLimited(wait)
        case .unknownPasskey: refused("unknown_passkey", "The house does not know this passkey. Sign in another way.")
        case .ended: refused("ended", "This passkey was ended, because there seem to be two of it. Sign in another way, and remove it.")
        case .refused(.cloned):
            refused("cloned", "There seem to be two of this passkey, so it was ended. Sign in another way, and remove it.")
        case .refused(let problem):
            refused(SnakeCase.convert("\(problem)"), "What the passkey said is not what was asked of it. Nobody was signed in.")
        }
    }

    private static func refused(_ reason: String, _ message: String) -> Problem {
        Problem(.unauthorized, "passkey_refused", message, details: ["reason": .string(reason)])
    }

    static func apiTokens(_ problem: APITokens.Problem) -> Problem {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("name", problem.sentence)
        case .invalid(let field, let message): .validation(field, message)
        case .forbidden(let refusal): .forbidden(refusal)
        }
    }
}
