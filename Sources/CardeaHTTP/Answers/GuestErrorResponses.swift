import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes

/// The error table of Seed 000: the same errors under the guest family's own names.
extension APIResponseError {
    static let missingBearer = APIResponseError(
        .unauthorized, "missing_bearer_token", "The pass's token is missing. Send it in the header Authorization: Bearer.", challenge: .bare
    )

    static func forGuestFamily(_ error: any Error) -> APIResponseError {
        switch error {
        case let problem as GuestAccess.GuestAccessError: access(problem)
        case let refusal as CommandRefusal: .refusal(refusal, in: .guest)
        case let problem as Commands.ApprovalError: approval(problem, in: .guest)
        case let problem as WireFormat.BodyError: invalidBody(problem)
        case let problem as APIResponseError where problem.code == "validation_error":
            APIResponseError(.badRequest, "invalid_payload", problem.message)
        default: APIResponseError(error)
        }
    }

    private static let unknownToken = APIResponseError(
        .unauthorized, "unauthorized", "This token is not valid in this house. Open the pass's link again, or ask the house for a new one.",
        challenge: .invalidToken)

    private static func invalidBody(_ problem: WireFormat.BodyError) -> APIResponseError {
        switch problem {
        case .notJSON: APIResponseError(.badRequest, "invalid_json", "The body is not valid JSON. Send a JSON object.")
        case .notAnObject: APIResponseError(.badRequest, "invalid_payload", "The body must be a JSON object.")
        case .unknownField(let name):
            APIResponseError(.badRequest, "invalid_payload", "Unknown field: \(name). Remove it, or check its spelling.")
        case .field("pairing_code", _):
            APIResponseError(.badRequest, "invalid_pairing_code", "pairing_code must be a non-empty string.")
        case .field("guest_token", _):
            APIResponseError(.badRequest, "invalid_guest_token", "guest_token must be a non-empty string of at most 4096 bytes.")
        case .field("action", _): APIResponseError(.badRequest, "invalid_action", "action must be a string such as door.open.")
        case .field(let name, let what): APIResponseError(.badRequest, "invalid_payload", "\(name) \(what).")
        }
    }

    static func access(_ problem: GuestAccess.GuestAccessError) -> APIResponseError {
        switch problem {
        case .codeUnknown:
            APIResponseError(
                .badRequest, "pairing_code_invalid",
                "This code is not valid, or was already used. Check it, or ask the house for a new link.")
        case .incompleteCode:
            APIResponseError(
                .badRequest, "invalid_pairing_code", "The link or code of the pass is incomplete. Copy all of it, or type the code.")
        case .codeExpired:
            APIResponseError(
                .gone, "pairing_code_expired", "This code has expired. Ask the house for a new link; the pass itself is still valid.")
        case .pass(let refusal): pass(refusal, pairing: false)
        case .waiting: APIResponseError(pendingApproval.status, pendingApproval.code, ApproverGroup.inviters.sentence)
        case .anotherPhonePending:
            APIResponseError(
                .forbidden, "other_phone_asked",
                "Another phone asked for this pass first. If it was this phone, send its key or the claim_secret from the first answer. Otherwise ask the house for a new link."
            )
        case .verificationRequired:
            APIResponseError(
                .forbidden, "verification_required",
                "This pass needs a check of who holds the phone, by face, finger or PIN, and this phone made none. No use was counted. Open the link on a phone with a screen lock, in its own browser, or ask the house for a pass without this check."
            )
        case .passkey(let problem): APIResponseError(Passkeys.CredentialError.refused(problem))
        case .throttled(let wait): .rateLimited(wait)
        case .clockBehind: .clockBehind
        case .unauthorized: unknownToken
        }
    }
}
