import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes

/// The error table of Seed 000: the same errors under the guest family's own names.
extension Problem {
    static let missingBearer = Problem(.unauthorized, "missing_bearer_token", "Show the pass's token.", challenge: .bare)

    static func ofGuestFamily(_ error: any Error) -> Problem {
        switch error {
        case let problem as GuestAccess.Problem: access(problem)
        case let refusal as CommandRefusal: action(refusal)
        case Commands.ApprovalProblem.notFound: Problem(.notFound, "command_not_found", "You have asked for nothing by that name.")
        case Commands.ApprovalProblem.notAsking:
            Problem(.conflict, "not_waiting", "It waits for nobody any more: the house has answered, or its time has passed.")
        case let problem as Wire.Problem: payload(problem)
        case let problem as Problem where problem.code == "validation_error": Problem(.badRequest, "invalid_payload", problem.message)
        default: Problem(error)
        }
    }

    private static let unknownToken = Problem(.unauthorized, "unauthorized", "This token is not one of ours.", challenge: .invalidToken)

    private static func payload(_ problem: Wire.Problem) -> Problem {
        switch problem {
        case .notJSON: Problem(.badRequest, "invalid_json", "The body is not JSON.")
        case .notAnObject: Problem(.badRequest, "invalid_payload", "The body must be a JSON object.")
        case .unknownField(let name): Problem(.badRequest, "invalid_payload", "There is no field \(name).")
        case .field("pairing_code", _):
            Problem(.badRequest, "invalid_pairing_code", "pairing_code must be a text of at least one character.")
        case .field("guest_token", _): Problem(.badRequest, "invalid_guest_token", "guest_token must be a text of at least one character.")
        case .field("action", _): Problem(.badRequest, "invalid_action", "action must be a text such as door.open.")
        case .field(let name, let what): Problem(.badRequest, "invalid_payload", "\(name) \(what).")
        }
    }

    static func access(_ problem: GuestAccess.Problem) -> Problem {
        switch problem {
        case .codeUnknown: Problem(.badRequest, "pairing_code_invalid", "This code is not right, or was already used.")
        case .codeNotWhole:
            Problem(.badRequest, "invalid_pairing_code", "This is no whole link or code of a pass. Ask for it again, or type the code.")
        case .codeExpired:
            Problem(.gone, "pairing_code_expired", "This code is too old. Ask for a new link; the pass itself is still good.")
        case .pass(let refusal): pass(refusal, pairing: false)
        case .waiting: Problem(.accepted, "pending_approval", AskAnswerers.inviters.sentence)
        case .otherPhoneAsked:
            Problem(
                .forbidden, "other_phone_asked",
                "Another phone asked for this pass first. If it was this one, send its key or the claim_secret of its first answer; else ask the house for a new link."
            )
        case .verificationRequired:
            Problem(
                .forbidden, "verification_required",
                "This pass wants the phone to check who holds it, by face, finger or PIN, and this one did not. Nothing is used up. Take it on a phone with a screen lock, in its own browser, or ask the house for a pass without."
            )
        case .passkey(let problem): Problem(Passkeys.Problem.refused(problem))
        case .throttled(let wait): .rateLimited(wait)
        case .clockBehind: .clockBehind
        case .unauthorized: unknownToken
        }
    }

    /// How a pass that stands in its own way is told. Over at pairing is 410, later 401, as the contract has it.
    static func pass(_ refusal: Refusal, pairing: Bool) -> Problem {
        let message = refusal.sentence
        return switch refusal {
        case .expired(let date):
            pairing
                ? Problem(.gone, "pass_expired", message, details: ["expires_at": seconds(date)])
                : Problem(.unauthorized, "token_expired", message, details: ["expires_at": seconds(date)], challenge: .invalidToken)
        case .revoked(let date):
            Problem(.unauthorized, "token_revoked", message, details: ["revoked_at": seconds(date)], challenge: .invalidToken)
        case .noGrant: Problem(.unauthorized, "token_revoked", message, challenge: .invalidToken)
        case .usedUp(let limit):
            Problem(
                .unauthorized, "token_max_uses_exceeded", message,
                details: ["max_uses": .number(Double(limit)), "used_count": .number(Double(limit)), "remaining_uses": 0],
                challenge: .invalidToken)
        case .notYetValid(let date):
            Problem(.unauthorized, "token_not_yet_valid", message, details: ["starts_at": seconds(date)], challenge: .invalidToken)
        case .rejected: Problem(.forbidden, "pairing_rejected", message)
        case .awaitingApproval: Problem(.forbidden, "pairing_rejected", message)
        case .suspended: Problem(.forbidden, "pass_suspended", message)
        case .forbiddenRemote: Problem(.forbidden, "forbidden_remote", message)
        case .outsideSchedule(let next):
            Problem(.forbidden, "outside_schedule", message, details: next.map { ["next_opening": seconds($0)] } ?? [:])
        case .notGuestAccessible: Problem(.forbidden, "not_guest_accessible", message)
        case .deviceNotInScope: Problem(.forbidden, "entity_not_in_scope", message)
        case .actionNotAllowed, .roleLacksRight, .securityDevice:
            Problem(.forbidden, "action_not_allowed", message, challenge: nil)
        }
    }

    /// The pass is as good as it was: nothing here is a reason to throw it away.
    static func proof(_ refusal: ProofRefusal) -> Problem {
        let message =
            switch refusal {
            case .required: "This pass is bound to one phone. Prove that you hold its key."
            case .invalid: "This was not signed by the phone that has the pass."
            case .replay: "This was asked before. Look how things stand before you ask anew."
            case .nonceExpired: "What was signed is too old. Ask for a new nonce."
            case .presenceRequired: "This pass opens for its guest alone. Let the phone check that it is you."
            case .presenceInvalid: "The phone's check was not about this opening. Try again."
            case .clockSkew: "The phone's clock is too far from the house's. Set it, and ask again."
            }
        return Problem(.unauthorized, refusal.rawValue, message, challenge: .bare)
    }

    private static func action(_ refusal: CommandRefusal) -> Problem {
        switch refusal {
        case .gate(let refusal): pass(refusal, pairing: false)
        case .deviceNotFound:
            Problem(.serviceUnavailable, "integration_not_ready", "The house does not know this door just now.", retryAfter: 5)
        case .invalidValue, .invalidWhite: Problem(.badRequest, "invalid_value", Problem(refusal).message)
        default: Problem(refusal)
        }
    }

    private static func seconds(_ date: Date) -> JSONValue { .number(date.timeIntervalSince1970.rounded(.down)) }
}
