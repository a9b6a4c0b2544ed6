import CardeaModel
import Foundation

/// Decides the access attempts of the last days again: by the rules as they were, and by others.
///
/// It decides with the gate itself, which is a pure function, and does nothing else. No part of it can act: it has no backend, no hub, no
/// closure and no reference, only values. The compiler enforces that, since every part has a synthesized `Hashable`. A test checks all
/// parts, and the text of the files.
public struct AccessReplay: Hashable, Sendable {
    /// The oldest first.
    public let attempts: [Attempt]
    /// The rules as they were.
    public let rules: Rules
    /// The time since which every attempt is included, if there were too many to look at all of them; nil if nothing was left out.
    public let since: Date?

    public init(_ attempts: [Attempt], under rules: Rules, since: Date? = nil) {
        self.attempts = attempts.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        self.rules = rules
        self.since = since
    }

    /// The gate's decision on an attempt.
    public enum Verdict: Hashable, Sendable {
        case allow
        case ask
        case deny(Refusal)
        /// The decision depends on a fact that was not recorded.
        case unknown(Set<MissingFact>)

        /// True if the command is accepted: at once, or after an approval.
        public var isAllowed: Bool { self == .allow || self == .ask }
    }

    /// A fact about an attempt that is not known. It is never guessed.
    public enum MissingFact: String, Hashable, Sendable, CaseIterable {
        case actor
        /// The requester's grant at that time.
        case grant
        case device
        /// The origin: the house's own network, or outside.
        case network
        /// The number of uses of the pass.
        case uses
        /// The known rules contradict the record, so others were in force.
        case rules

        var sentence: StateSentence {
            switch self {
            case .actor: .gapActor
            case .grant: .gapGrant
            case .device: .gapDevice
            case .network: .gapNetwork
            case .uses: .gapUses
            case .rules: .gapRules
            }
        }
    }

    /// Decides every attempt again, by the rules as they were and by others.
    public func compared(with other: Rules) -> Comparison {
        let before = Self.decide(attempts, by: rules)
        let after = rules == other ? before : Self.decide(attempts, by: other, before: before, before: rules)
        return Comparison(
            rows: zip(attempts, zip(before, after)).map { attempt, verdicts in
                AttemptComparison(attempt: attempt, before: verdicts.0, after: verdicts.1, isDoor: isDoor(attempt))
            })
    }

    /// Decides every attempt again, by the rules as they were.
    public func repeated() -> Comparison { compared(with: rules) }

    /// Returns whether the command lets people in.
    private func isDoor(_ attempt: Attempt) -> Bool {
        guard let device = attempt.deviceID.flatMap({ rules.devices[$0]?.value(at: attempt.at) }),
            let entity = device.entities.first(where: { $0.id == attempt.entityID }), let verb = entity.resolve(attempt.verb)
        else { return false }
        return entity.risk(of: verb) == .open
    }

    /// The uses of a pass before the first of the attempts, calculated from its uses now.
    ///
    /// - Returns: nil if for some use it is unknown whether it was returned, or if the attempts used it more often than the count says.
    public static func usesBefore(now count: Int, of actor: String, in attempts: [Attempt]) -> Int? {
        var uses = PassUsageCounter(before: 0)
        for attempt in attempts where attempt.actor == actor && attempt.verb != .read { uses.record(attempt, .allow, before: nil) }
        let made = uses.range(at: .distantFuture)
        guard made.lowerBound == made.upperBound, made.lowerBound <= count else { return nil }
        return count - made.lowerBound
    }

    // MARK: Changing

    private static func decide(
        _ attempts: [Attempt], by rules: Rules, before: [Verdict]? = nil, before former: Rules? = nil
    ) -> [Verdict] {
        var uses: [String: PassUsageCounter] = [:]
        var formerUses: [String: PassUsageCounter] = [:]
        let same = former.map { UnchangedRules(rules, $0) }
        var verdicts: [Verdict] = []
        verdicts.reserveCapacity(attempts.count)
        for (place, attempt) in attempts.enumerated() {
            let key = attempt.actor ?? ""
            let told = before?[place]
            let count = uses[key]?.range(at: attempt.at) ?? PassUsageCounter.range(before: rules.usesBefore[key])
            let formerCount = formerUses[key]?.range(at: attempt.at) ?? PassUsageCounter.range(before: former?.usesBefore[key])
            let verdict: Verdict
            // A decision that nothing has changed is not computed twice.
            if let told, told.contradictsRecord || (same?.covers(attempt) == true && count == formerCount) {
                verdict = told
            } else {
                let judged = evaluate(attempt, by: rules, uses: count)
                // Rules that were not in force predict nothing.
                verdict = told == nil && judged.matches(attempt.recordedDecision) == false ? .unknown([.rules]) : judged
            }
            verdicts.append(verdict)
            guard key.hasPrefix("guest:"), attempt.verb != .read else { continue }
            uses[key, default: PassUsageCounter(before: rules.usesBefore[key])].record(attempt, verdict, before: told)
            if let told {
                formerUses[key, default: PassUsageCounter(before: former?.usesBefore[key])].record(attempt, told, before: nil)
            }
        }
        return verdicts
    }

    /// The actors and devices that have the same rules in both.
    private struct UnchangedRules {
        var actors: Set<String>
        var devices: Set<String>

        init(_ one: Rules, _ other: Rules) {
            guard one.zone == other.zone else {
                (actors, devices) = ([], [])
                return
            }
            actors = Set(one.grants.filter { other.grants[$0.key] == $0.value }.keys)
            devices = Set(one.devices.filter { other.devices[$0.key] == $0.value }.keys)
        }

        func covers(_ attempt: Attempt) -> Bool {
            guard let actor = attempt.actor, let device = attempt.deviceID else { return false }
            return actors.contains(actor) && devices.contains(device)
        }
    }

    private static func evaluate(_ attempt: Attempt, by rules: Rules, uses: ClosedRange<Int>) -> Verdict {
        guard let actor = attempt.actor else { return .unknown([.actor]) }
        guard let grant = rules.grants[actor]?.value(at: attempt.at)?.snapshot(at: attempt.at) else { return .unknown([.grant]) }
        guard let device = attempt.deviceID.flatMap({ rules.devices[$0]?.value(at: attempt.at) }),
            let entity = device.entities.first(where: { $0.id == attempt.entityID }), let verb = entity.resolve(attempt.verb)
        else { return .unknown([.device]) }

        func decide(isLocal: Bool, uses: Int) -> Verdict {
            var counted = grant
            counted.useCount = uses
            let request = Gate.Request(verb, on: entity, of: device, isLocal: isLocal)
            switch Gate.decide(request, by: counted, at: attempt.at, zone: rules.zone) {
            case .allow: return .allow
            case .ask: return .ask
            case .deny(let refusal): return .deny(refusal)
            }
        }
        // Unknown values are tried both ways, and named if they decide.
        let origins = attempt.isLocal.map { [$0] } ?? (grant.localOnly ? [true, false] : [true])
        let limit = grant.useLimit
        let counts =
            limit == 0 || (uses.lowerBound < limit) == (uses.upperBound < limit) ? [uses.lowerBound] : [uses.lowerBound, uses.upperBound]
        let first = decide(isLocal: origins[0], uses: counts[0])
        var gaps: Set<MissingFact> = []
        for origin in origins.dropFirst() where decide(isLocal: origin, uses: counts[0]) != first { gaps.insert(.network) }
        for count in counts.dropFirst() where decide(isLocal: origins[0], uses: count) != first { gaps.insert(.uses) }
        return gaps.isEmpty ? first : .unknown(gaps)
    }
}
