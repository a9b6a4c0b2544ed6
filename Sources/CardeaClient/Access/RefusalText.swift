import CardeaModel
import Foundation

/// The text of a refusal: the failed action, the reason, the next step and the cost. Residents and guests get the same text.
public struct RefusalText: Sendable {
    private let clock: HouseClock
    private let schedule: WeeklySchedule?

    /// - Parameter schedule: the hours of the pass that is refused, if they are known.
    public init(_ clock: HouseClock, schedule: WeeklySchedule? = nil) {
        self.clock = clock
        self.schedule = schedule
    }

    /// The sentence for an error of the house; the house's own message if there is no other.
    public func sentence(for error: APIError) -> String {
        refusal(error) ?? actionableMessage(error) ?? error.message
    }

    /// The gate's reasons, by the names of either family.
    private func refusal(_ error: APIError) -> String? {
        let reason = error.code == "forbidden" ? error.details["reason"]?.string ?? "" : error.code
        switch reason {
        case "outside_schedule":
            let next = time("next_opening", error).map { " Next time: \(clock.spoken($0))." } ?? ""
            let hours = schedule.map { " This pass works \(ScheduleText.text($0))." } ?? ""
            return "Not opened: outside your hours.\(hours)\(next) This try did not count."
        case "not_yet_valid", "token_not_yet_valid": return "This pass starts \(when("starts_at", error, else: "later"))."
        case "expired", "token_expired", "pass_expired":
            return "This pass ended\(time("expired_at", error).map { " " + clock.spoken($0) } ?? ""). Ask the house for a new one."
        case "revoked", "token_revoked":
            let at = time("revoked_at", error).map { " " + clock.spoken($0) } ?? ""
            return "This pass was taken back\(at). Ask the house if you still need it."
        case "used_up", "token_max_uses_exceeded":
            let limit = error.details["max_uses"]?.number
            return limit.map { Refusal.usedUp(limit: Int($0)).sentence } ?? "This pass is used up. Ask the house for more."
        case "suspended", "pass_suspended": return Refusal.suspended.sentence
        case "forbidden_remote": return Refusal.forbiddenRemote.sentence
        case "rejected", "pairing_rejected", "approval_rejected": return Refusal.rejected.sentence
        case "awaiting_approval": return "Someone who may let guests in has to say yes first. Ask again in a moment."
        case "no_grant", "role_lacks_right": return "You may not do this here. An owner can give you the right."
        case "security_device": return "Not opened: only an owner or admin opens this door."
        case "not_guest_accessible": return "Not opened: guests may not use this door any more. Ask the house."
        case "device_not_in_scope", "entity_not_in_scope", "scope_mismatch", "action_not_allowed":
            return "Not done: this pass does not allow it. Ask the house."
        case ProofRefusal.required.rawValue, ProofRefusal.invalid.rawValue:
            return "Not opened: this pass is bound to the phone that took it. Use that one, or ask the house for a new link."
        case ProofRefusal.replay.rawValue: return "Not opened a second time. Look how the door stands before you try again."
        case ProofRefusal.nonceExpired.rawValue: return "Not opened: that took too long. Try again. This try did not count."
        case "verification_required":
            return "Not taken: this pass wants a check of who holds the phone, by face, finger or PIN. Nothing is used up."
        case ProofRefusal.presenceRequired.rawValue, ProofRefusal.presenceInvalid.rawValue:
            return "Not opened: this pass opens after a check of who holds the phone. Use the one that took it. This did not count."
        case ProofRefusal.clockSkew.rawValue: return "Not opened: this device's clock is wrong. Set it, and try again."
        default: return nil
        }
    }

    /// Messages for other error codes that a person can do something about.
    private func actionableMessage(_ error: APIError) -> String? {
        switch error.code {
        case "rate_limited":
            let seconds = error.retryAfter.map { Int($0.components.seconds) }
            return seconds.map { "Too many tries. Again in \(HouseClock.minutes($0))." } ?? "Too many tries. Wait a minute."
        case "invalid_credentials": return "The name or password is wrong."
        case "already_claimed": return "This house already has an owner. Sign in, or ask the owner to invite you."
        case "last_owner": return "A house needs an owner. Make someone else owner first."
        case "in_flight": return "The same command is still running. Check the state in a moment."
        case "pairing_code_invalid": return "This code is wrong or was already used."
        case "invalid_pairing_code": return "This link or code is not complete. Copy the whole link, or type the code."
        case "clock_behind": return "Not opened: the house's clock is wrong, and no pass opens until it is right. Ring, or ask a resident."
        case "other_phone_asked":
            return "Another phone asked for this pass first. If that was not you, ask the house for a new link."
        case "pairing_code_expired": return "This code is too old. Ask for a new link; the pass itself is still good."
        default: return nil
        }
    }

    private func when(_ field: String, _ error: APIError, else fallback: String) -> String {
        time(field, error).map(clock.spoken) ?? fallback
    }

    private func time(_ field: String, _ error: APIError) -> Date? {
        error.details[field]?.timestamp
    }
}
