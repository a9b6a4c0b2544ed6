import CardeaModel
import Foundation

extension AccessReplay {
    /// One command to the house, with its outcome.
    public struct Attempt: Hashable, Sendable, Identifiable {
        /// The id of its event, by which an answer names it.
        public let id: String
        public let at: Date
        /// The time at which it was over; nil if unknown.
        public let endedAt: Date?
        public let actor: String?
        public let deviceID: String?
        public let entityID: String?
        public let verb: Verb
        public let status: CommandStatus
        /// The wire name of the refusal; nil if it was not refused.
        public let refusal: String?
        /// True if it came from the house's own network; nil if that was not recorded.
        public let isLocal: Bool?
        /// True if the use of a pass was returned; nil if that was not recorded.
        public let wasReturned: Bool?

        public init(
            id: String, at: Date, endedAt: Date? = nil, actor: String?, deviceID: String?, entityID: String?, verb: Verb,
            status: CommandStatus, refusal: String? = nil, isLocal: Bool? = nil, wasReturned: Bool? = nil
        ) {
            self.id = id
            // `Calendar` has no dates beyond these.
            self.at = min(max(at, .distantPast), .distantFuture)
            self.endedAt = endedAt
            self.actor = actor
            self.deviceID = deviceID
            self.entityID = entityID
            self.verb = verb
            self.status = status
            self.refusal = refusal
            self.isLocal = isLocal
            self.wasReturned = wasReturned
        }
    }

    /// The facts about an attempt that an event does not contain.
    public struct AttemptContext: Hashable, Sendable {
        public var isLocal: Bool?
        public var wasReturned: Bool?

        public init(isLocal: Bool? = nil, wasReturned: Bool? = nil) {
            self.isLocal = isLocal
            self.wasReturned = wasReturned
        }
    }

    /// The attempts among events, the oldest first.
    ///
    /// A command may be recorded once, when it is over, or step by step: accepted, dispatching, confirmed. Steps of the same command by the
    /// same person within the lifetime of a command are one attempt, at the time of the first.
    public static func attempts(in events: [HouseEvent], circumstances: [String: AttemptContext] = [:]) -> [Attempt] {
        var attempts: [Attempt] = []
        var open: [AttemptKey: Int] = [:]
        for event in events.sorted(by: { ($0.at, $0.id) < ($1.at, $1.id) }) {
            guard case .command(let verb, let status, let refusal) = event.fact else { continue }
            let wish = AttemptKey(actor: event.actor, deviceID: event.deviceID, entityID: event.entityID, verb: verb)
            let known = circumstances[event.id] ?? AttemptContext()
            if refusal == nil, let place = open[wish], event.at.timeIntervalSince(attempts[place].at) <= Twin.reportTimeout {
                attempts[place] = attempts[place].updated(to: status, at: event.at, known)
                if status.isOver { open[wish] = nil }
                continue
            }
            attempts.append(
                Attempt(
                    id: event.id, at: event.at, actor: event.actor, deviceID: event.deviceID,
                    entityID: event.entityID, verb: verb, status: status, refusal: refusal, isLocal: known.isLocal,
                    wasReturned: known.wasReturned))
            if refusal == nil, !status.isOver { open[wish] = attempts.count - 1 }
        }
        return attempts
    }

    private struct AttemptKey: Hashable {
        let actor: String?
        let deviceID: String?
        let entityID: String?
        let verb: Verb
    }
}

extension AccessReplay.Attempt {
    fileprivate func updated(to status: CommandStatus, at moment: Date, _ known: AccessReplay.AttemptContext) -> AccessReplay.Attempt {
        AccessReplay.Attempt(
            id: id, at: at, endedAt: status.isOver ? moment : endedAt, actor: actor, deviceID: deviceID, entityID: entityID, verb: verb,
            status: status, refusal: refusal, isLocal: isLocal ?? known.isLocal, wasReturned: wasReturned ?? known.wasReturned)
    }

    /// The decision of the gate, as far as it is known.
    enum RecordedDecision: Hashable {
        case allowed
        case denied(String)
        /// It never reached the gate, or that is unknown.
        case notDecided
    }

    var recordedDecision: RecordedDecision {
        guard let refusal else { return .allowed }
        if Self.gateRefusals.contains(refusal) { return .denied(refusal) }
        return Self.postGateRefusals.contains(refusal) ? .allowed : .notDecided
    }

    /// True if it was refused by something other than the gate, so that no other rule would have helped.
    var failedOutsideGate: Bool { refusal.map { !Self.gateRefusals.contains($0) } ?? false }

    private static let gateRefusals: Set<String> = [
        "no_grant", "role_lacks_right", "security_device", "not_guest_accessible", "device_not_in_scope", "action_not_allowed",
        "not_yet_valid", "expired", "outside_schedule", "used_up", "suspended", "revoked", "forbidden_remote", "awaiting_approval",
        "rejected",
    ]

    /// Refusals that are found only after the gate has allowed the command.
    private static let postGateRefusals: Set<String> = [
        "invalid_value", "integration_not_ready", "device_unreachable", "busy", "door_changed",
    ]
}
