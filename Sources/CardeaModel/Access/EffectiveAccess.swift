import Foundation

/// The doors that each principal and tag can open, now or later, under the present settings. It is read before a write and after it: a
/// write that gives another person more access than before asks for a step-up.
public struct EffectiveAccess: Hashable, Sendable {
    /// One way to open an entity.
    public struct Path: Hashable, Sendable {
        /// The opener: a principal's key, or a kind of tag of this house.
        public let opener: String
        public let entityID: String
        public let verb: Verb
        /// The trigger, if an automation opens; nil if a person asks.
        public let cause: String?

        public init(opener: String, entityID: String, verb: Verb, cause: String? = nil) {
            self.opener = opener
            self.entityID = entityID
            self.verb = verb
            self.cause = cause
        }
    }

    /// The further conditions of a path.
    public struct Conditions: Hashable, Sendable {
        /// A person in the house must approve each time.
        public let requiresApproval: Bool
        /// Conditions that must all hold.
        public let conditions: Set<String>

        public init(isAsked: Bool = false, conditions: Set<String> = []) {
            self.requiresApproval = isAsked
            self.conditions = conditions
        }

        /// Returns whether `others` requires something that these do not.
        func isWeaker(than others: Conditions) -> Bool {
            (others.requiresApproval && !requiresApproval) || !others.conditions.isSubset(of: conditions)
        }
    }

    /// An entity that opens a way in, and the verbs that do so.
    public struct Door: Sendable {
        public let device: Device
        public let entity: Entity
        public let verbs: [Verb]

        /// Nil if no verb of the entity opens a way in, or its device is only planned.
        public init?(_ entity: Entity, of device: Device) {
            let verbs = entity.verbs.filter { entity.risk(of: $0) == .open }.sorted { $0.rawValue < $1.rawValue }
            guard !verbs.isEmpty, !device.isPlanned else { return nil }
            (self.device, self.entity, self.verbs) = (device, entity, verbs)
        }
    }

    private var paths: [Path: Conditions] = [:]

    public init() {}

    /// Adds the verbs by which `grant` lets an opener use a door, at any hour and any number of times.
    ///
    /// - Parameters:
    ///   - verbs: only these; nil for all that open a way in.
    ///   - cause: as in `Path`.
    ///   - conditions: as in `Conditions`.
    public mutating func add(
        _ opener: String, holding grant: Grant, of door: Door, verbs: [Verb]? = nil, cause: String? = nil, conditions: Set<String> = [],
        at now: Date
    ) {
        var lasting = grant
        (lasting.startsAt, lasting.schedule, lasting.useCount) = (nil, nil, 0)
        for verb in door.verbs where verbs?.contains(verb) ?? true {
            let request = Gate.Request(verb, on: door.entity, of: door.device, isLocal: true)
            let way = Path(opener: opener, entityID: door.entity.id, verb: verb, cause: cause)
            switch Gate.decide(request, by: lasting, at: now, zone: .gmt) {
            case .allow: add(way, Conditions(conditions: conditions))
            case .ask: add(way, Conditions(isAsked: true, conditions: conditions))
            case .deny: break
            }
        }
    }

    public mutating func add(_ way: Path, _ terms: Conditions) {
        // Two paths of one opener to one door differ in their requirements: the easier one counts.
        guard let known = paths[way], !terms.isWeaker(than: known) else { return paths[way] = terms }
    }

    /// The paths that are new since `before`, or easier than before.
    ///
    /// - Parameter opener: whose own paths do not count, since they make the change.
    public func widenedPaths(since before: EffectiveAccess, besides opener: String? = nil) -> Set<Path> {
        Set(
            paths.filter { way, terms in
                guard way.opener != opener else { return false }
                return before.paths[way].map { terms.isWeaker(than: $0) } ?? true
            }.keys)
    }
}
