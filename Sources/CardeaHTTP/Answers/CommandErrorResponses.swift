import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes

/// The two families of routes that answer commands.
enum CommandRouteFamily {
    /// `/api/v1`, and the demo.
    case hub
    /// `/api/guest_access`.
    case guest
}

/// Status and code of every outcome of a command: of one that was not admitted, and of one that was.
extension APIResponseError {
    // MARK: Outcomes of an admitted command

    /// The status of a command's outcome, with the error's code if it did not succeed.
    static func status(of command: Command, in family: CommandRouteFamily) -> (status: HTTPResponse.Status, code: String?) {
        switch (command.status, command.reason.flatMap(AuditReason.init), family) {
        case (.confirmed, _, _): (.ok, nil)
        case (.accepted, _, _), (.dispatching, _, _): (.accepted, nil)
        case (.unknown, _, _): (.gatewayTimeout, "outcome_unknown")
        case (.failed, _, .hub) where command.isPublication: (.serviceUnavailable, "device_unreachable")
        case (.failed, .jammed, _): (.internalServerError, "action_execution_failed")
        case (.failed, .unsupportedAction, _): (.badRequest, "unsupported_action")
        case (.failed, _, _): (.serviceUnavailable, "device_unreachable")
        case (.expired, _, .hub): (.conflict, "conflict")
        // The house rejected it, the pass ended while the command waited, its guest withdrew it, or its turn did not come.
        case (.expired, .rejected, .guest), (.expired, .unanswered, .guest): (.forbidden, "approval_rejected")
        case (.expired, .revoked, .guest), (.expired, .noGrant, .guest): (.unauthorized, "token_revoked")
        case (.expired, .expired, .guest): (.unauthorized, "token_expired")
        case (.expired, .suspended, .guest): (.forbidden, "pass_suspended")
        case (.expired, .takenBack, .guest): (.conflict, "taken_back")
        case (.expired, _, .guest): (.internalServerError, "action_execution_failed")
        }
    }

    /// The error for a command that did not succeed; nil for one that is confirmed, or still runs.
    static func outcome(of command: Command, in family: CommandRouteFamily) -> APIResponseError? {
        let (status, code) = status(of: command, in: family)
        guard let code else { return nil }
        return APIResponseError(
            status, code, sentence(for: command, in: family), retryAfter: status == .serviceUnavailable ? 5 : nil,
            challenge: status == .unauthorized ? .invalidToken : nil)
    }

    private static func sentence(for command: Command, in family: CommandRouteFamily) -> String {
        switch (command.status, family) {
        case (.unknown, .guest): RefusalSentences.unknownAtDoor
        case (.unknown, .hub) where command.reason == AuditReason.noReport.rawValue: RefusalSentences.noReport
        case (.unknown, .hub): RefusalSentences.unknown
        case (.failed, .hub) where command.isPublication: RefusalSentences.notPublished(command.reason)
        default: RefusalSentences.failed(command.reason, status: command.status, isLock: command.entityID.hasPrefix("lock."))
        }
    }

    // MARK: Refusals at admission

    static func refusal(_ refusal: CommandRefusal, in family: CommandRouteFamily) -> APIResponseError {
        switch (refusal, family) {
        case (.gate(let refusal), .hub): .forbidden(refusal)
        case (.gate(let refusal), .guest): pass(refusal, pairing: false)
        case (.proof(let refusal), _): proof(refusal)
        case (.deviceNotFound, .hub): APIResponseError(.notFound, "device_not_found", RefusalSentences.deviceNotFound)
        case (.deviceNotFound, .guest):
            APIResponseError(.serviceUnavailable, "integration_not_ready", RefusalSentences.doorNotFound, retryAfter: 5)
        case (.entityRequired(let ids), _):
            APIResponseError(
                .badRequest, "entity_required", RefusalSentences.entityRequired, details: ["entities": .array(ids.map(JSONValue.string))])
        case (.entityNotInScope, _): APIResponseError(.forbidden, "entity_not_in_scope", RefusalSentences.entityNotInScope)
        case (.scopeMismatch, _): APIResponseError(.forbidden, "scope_mismatch", RefusalSentences.scopeMismatch)
        case (.unsupported(let verb), _):
            APIResponseError(
                .badRequest, "unsupported_action", RefusalSentences.unsupported(verb), details: ["action": .string(verb.rawValue)])
        case (.unknownAction(let name), _):
            APIResponseError(
                .badRequest, "unsupported_action", RefusalSentences.unknownAction(name.prefix(64)),
                details: ["action": .string(String(name.prefix(64)))])
        case (.readOnly, _): APIResponseError(.badRequest, "read_only_entity", RefusalSentences.readOnly)
        case (.invalidValue(let verb), _): invalidValue(verb.valueSentence, in: family)
        case (.invalidWhite(let whites), _): invalidValue(RefusalSentences.invalidWhite(whites), in: family)
        case (.unreachable, _):
            APIResponseError(.serviceUnavailable, "device_unreachable", RefusalSentences.unreachable, retryAfter: 5)
        case (.integrationNotReady, _):
            APIResponseError(.serviceUnavailable, "integration_not_ready", RefusalSentences.integrationNotReady, retryAfter: 2)
        case (.notConnected, _):
            APIResponseError(
                .serviceUnavailable, "integration_not_ready", RefusalSentences.notConnected,
                details: ["integration": .string(Device.planned)], retryAfter: 3600)
        case (.inFlight(let id), _):
            APIResponseError(.conflict, "in_flight", RefusalSentences.inFlight, details: ["command_id": .string(id)], retryAfter: 1)
        case (.callNameReused, _): .idempotencyKeyReused
        case (.busy(let wait), _): .rateLimited(Double(wait))
        case (.clockBehind, _): .clockBehind
        case (.doorChanged, _):
            APIResponseError(
                .conflict, "conflict", RefusalSentences.doorChanged, details: ["reason": .string(AuditReason.doorChanged.rawValue)])
        }
    }

    private static func invalidValue(_ sentence: String, in family: CommandRouteFamily) -> APIResponseError {
        switch family {
        case .hub: validation("value", sentence)
        case .guest: APIResponseError(.badRequest, "invalid_value", "value: \(sentence)")
        }
    }

    static func batches(_ problem: CommandBatches.BatchError) -> APIResponseError {
        switch problem {
        case .size: .validation("devices", "must have 1 to \(CommandBatches.limit) actions")
        case .contradiction(let id):
            .validation("devices", "has two actions for \(id.prefix(64)) with different values. Remove one of them")
        }
    }

    /// An action that the house does not know, read from a body.
    static func unknownAction(_ name: String) -> APIResponseError {
        APIResponseError(.badRequest, "unsupported_action", RefusalSentences.unknownAction(name.prefix(64)))
    }

    static let clockBehind = APIResponseError(.serviceUnavailable, "clock_behind", RefusalSentences.clockBehind, retryAfter: 60)

    static func forbidden(_ refusal: Refusal, sentence: String? = nil) -> APIResponseError {
        var details = refusal.details
        details["reason"] = .string(refusal.name)
        return APIResponseError(.forbidden, "forbidden", sentence ?? refusal.sentence, details: details)
    }

    /// A gate's refusal in the guest family. A pass that has ended is 410 at pairing, and 401 later, as the contract has it.
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
        case .actionNotAllowed, .roleLacksRight, .securityDevice: APIResponseError(.forbidden, "action_not_allowed", message)
        }
    }

    private static func seconds(_ date: Date) -> JSONValue { .number(date.timeIntervalSince1970.rounded(.down)) }

    /// The pass itself stays valid, so a client keeps it.
    static func proof(_ refusal: ProofRefusal) -> APIResponseError {
        APIResponseError(.unauthorized, refusal.rawValue, refusal.sentence, challenge: .bare)
    }

    // MARK: Approvals

    static func approval(_ problem: Commands.ApprovalError, in family: CommandRouteFamily) -> APIResponseError {
        switch (problem, family) {
        case (.notFound, .hub): .notFound
        case (.notFound, .guest): APIResponseError(.notFound, "command_not_found", RefusalSentences.commandNotFound)
        case (.notAwaitingApproval, .hub): APIResponseError(.conflict, "conflict", RefusalSentences.notAwaitingApproval)
        case (.notAwaitingApproval, .guest): APIResponseError(.conflict, "not_waiting", RefusalSentences.approvalOver)
        case (.forbidden(let refusal), _): .forbidden(refusal)
        case (.notAnApprover, _): .forbidden(.roleLacksRight, sentence: RefusalSentences.notAnApprover)
        }
    }

    /// The answer 202 to a guest whose phone or command waits for a person of the house.
    static let pendingApproval = (status: HTTPResponse.Status.accepted, code: "pending_approval", retryAfter: 2)
}

extension Command {
    /// True if it publishes a button's message and moves no device.
    fileprivate var isPublication: Bool { integration == ButtonPublisher.name }
}

extension Refusal {
    var details: [String: JSONValue] {
        switch self {
        case .notYetValid(let date): ["starts_at": .string(Timestamp.text(date))]
        case .expired(let date): ["expired_at": .string(Timestamp.text(date))]
        case .outsideSchedule(let next): next.map { ["next_opening": .string(Timestamp.text($0))] } ?? [:]
        case .usedUp(let limit): ["max_uses": .number(Double(limit))]
        case .revoked(let date): ["revoked_at": .string(Timestamp.text(date))]
        default: [:]
        }
    }
}
