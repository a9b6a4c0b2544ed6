import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes

/// The error table of Seed 000: the same errors under the guest family's own names.
extension APIResponseError {
    static let missingBearer = APIResponseError(.unauthorized, "missing_bearer_token", "Show the pass's token.", challenge: .bare)

    static func forGuestFamily(_ error: any Error) -> APIResponseError {
        switch error {
        case let problem as GuestAccess.GuestAccessError: access(problem)
        case let refusal as CommandRefusal: guestCommand(refusal)
        case Commands.ApprovalError.notFound: APIResponseError(.notFound, "command_not_found", "You have asked for nothing by that name.")
        case Commands.ApprovalError.notAwaitingApproval:
            APIResponseError(.conflict, "not_waiting", "It waits for nobody any more: the house has answered, or its time has passed.")
        case let problem as WireFormat.BodyError: invalidBody(problem)
        case let problem as APIResponseError where problem.code == "validation_error":
            APIResponseError(.badRequest, "invalid_payload", problem.message)
        default: APIResponseError(error)
        }
    }

    private static let unknownToken = APIResponseError(
        .unauthorized, "unauthorized", "This token is not one of ours.", challenge: .invalidToken)

    private static func invalidBody(_ problem: WireFormat.BodyError) -> APIResponseError {
        switch problem {
        case .notJSON: APIResponseError(.badRequest, "invalid_json", "The body is not JSON.")
        case .notAnObject: APIResponseError(.badRequest, "invalid_payload", "The body must be a JSON object.")
        case .unknownField(let name): APIResponseError(.badRequest, "invalid_payload", "There is no field \(name).")
        case .field("pairing_code", _):
            APIResponseError(.badRequest, "invalid_pairing_code", "pairing_code must be a text of at least one character.")
        case .field("guest_token", _):
            APIResponseError(.badRequest, "invalid_guest_token", "guest_token must be a text of at least one character.")
        case .field("action", _): APIResponseError(.badRequest, "invalid_action", "action must be a text such as door.open.")
        case .field(let name, let what): APIResponseError(.badRequest, "invalid_payload", "\(name) \(what).")
        }
    }

    static func access(_ problem: GuestAccess.GuestAccessError) -> APIResponseError {
        switch problem {
        case .codeUnknown: APIResponseError(.badRequest, "pairing_code_invalid", "This code is not right, or was already used.")
        case .incompleteCode:
            APIResponseError(
                .badRequest, "invalid_pairing_code", "This is no whole link or code of a pass. Ask for it again, or type the code.")
        case .codeExpired:
            APIResponseError(.gone, "pairing_code_expired", "This code is too old. Ask for a new link; the pass itself is still good.")
        case .pass(let refusal): pass(refusal, pairing: false)
        case .waiting: APIResponseError(.accepted, "pending_approval", ApproverGroup.inviters.sentence)
        case .anotherPhonePending:
            APIResponseError(
                .forbidden, "other_phone_asked",
                "Another phone asked for this pass first. If it was this one, send its key or the claim_secret of its first answer; else ask the house for a new link."
            )
        case .verificationRequired:
            APIResponseError(
                .forbidden, "verification_required",
                "This pass wants the phone to check who holds it, by face, finger or PIN, and this one did not. Nothing is used up. Take it on a phone with a screen lock, in its own browser, or ask the house for a pass without."
            )
        case .passkey(let problem): APIResponseError(Passkeys.CredentialError.refused(problem))
        case .throttled(let wait): .rateLimited(wait)
        case .clockBehind: .clockBehind
        case .unauthorized: unknownToken
        }
    }

    /// How a pass that stands in its own way is told. Over at pairing is 410, later 401, as the contract has it.
    static func pass(_ refusal: Refusal, pairing: Bool) -> APIResponseError {
        let message = refusal.sentence
        return switch refusal {
        case .expired(let date):
            pairing
                ? APIResponseError(.gone, "pass_expired", message, details: ["expires_at": seconds(date)])
                : APIResponseError(
                    .unauthorized, "token_expired", message, details: ["expires_at": seconds(date)], challenge: .invalidToken)
        case .revoked(let date):
            APIResponseError(.unauthorized, "token_revoked", message, details: ["revoked_at": seconds(date)], challenge: .invalidToken)
        case .noGrant: APIResponseError(.unauthorized, "token_revoked", message, challenge: .invalidToken)
        case .usedUp(let limit):
            APIResponseError(
                .unauthorized, "token_max_uses_exceeded", message,
                details: ["max_uses": .number(Double(limit)), "used_count": .number(Double(limit)), "remaining_uses": 0],
                challenge: .invalidToken)
        case .notYetValid(let date):
            APIResponseError(.unauthorized, "token_not_yet_valid", message, details: ["starts_at": seconds(date)], challenge: .invalidToken)
        case .rejected: APIResponseError(.forbidden, "pairing_rejected", message)
        case .awaitingApproval: APIResponseError(.forbidden, "pairing_rejected", message)
        case .suspended: APIResponseError(.forbidden, "pass_suspended", message)
        case .forbiddenRemote: APIResponseError(.forbidden, "forbidden_remote", message)
        case .outsideSchedule(let next):
            APIResponseError(.forbidden, "outside_schedule", message, details: next.map { ["next_opening": seconds($0)] } ?? [:])
        case .notGuestAccessible: APIResponseError(.forbidden, "not_guest_accessible", message)
        case .deviceNotInScope: APIResponseError(.forbidden, "entity_not_in_scope", message)
        case .actionNotAllowed, .roleLacksRight, .securityDevice:
            APIResponseError(.forbidden, "action_not_allowed", message, challenge: nil)
        }
    }

    /// The pass is as good as it was: nothing here is a reason to throw it away.
    static func proof(_ refusal: ProofRefusal) -> APIResponseError {
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
        return APIResponseError(.unauthorized, refusal.rawValue, message, challenge: .bare)
    }

    private static func guestCommand(_ refusal: CommandRefusal) -> APIResponseError {
        switch refusal {
        case .gate(let refusal): pass(refusal, pairing: false)
        case .deviceNotFound:
            APIResponseError(.serviceUnavailable, "integration_not_ready", "The house does not know this door just now.", retryAfter: 5)
        case .invalidValue, .invalidWhite: APIResponseError(.badRequest, "invalid_value", APIResponseError(refusal).message)
        default: APIResponseError(refusal)
        }
    }

    private static func seconds(_ date: Date) -> JSONValue { .number(date.timeIntervalSince1970.rounded(.down)) }
}
