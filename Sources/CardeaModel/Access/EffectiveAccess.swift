import Foundation

/// Who can open what, at this moment or a later one, as the house is set up. It is read before a write and after it: a write that lets somebody
/// else open more than before asks for a step-up.
public struct EffectiveAccess: Hashable, Sendable {
    /// Somebody, or something, that can open something.
    public struct Path: Hashable, Sendable {
        /// Who opens: a principal by its key, or the tags of the house by their kind.
        public let opener: String
        public let entityID: String
        public let verb: Verb
        /// What sets it going, where the house does it by itself; nil where somebody asks for it.
        public let cause: String?

        public init(opener: String, entityID: String, verb: Verb, cause: String? = nil) {
            self.opener = opener
            self.entityID = entityID
            self.verb = verb
            self.cause = cause
        }
    }

    /// What else it takes.
    public struct Conditions: Hashable, Sendable {
        /// Somebody in the house says yes each time.
        public let requiresApproval: Bool
        /// All of them hold.
        public let conditions: Set<String>

        public init(isAsked: Bool = false, conditions: Set<String> = []) {
            self.requiresApproval = isAsked
            self.conditions = conditions
        }

        /// Whether it takes no more than under `others`, and in something less.
        func isWeaker(than others: Conditions) -> Bool {
            (others.requiresApproval && !requiresApproval) || !others.conditions.isSubset(of: conditions)
        }
    }

    /// An entity that lets somebody in, and by which verbs.
    public struct Door: Sendable {
        public let device: Device
        public let entity: Entity
        public let verbs: [Verb]

        /// Nil where it lets nobody in.
        public init?(_ entity: Entity, of device: Device) {
            let verbs = entity.verbs.filter { entity.risk(of: $0) == .open }.sorted { $0.rawValue < $1.rawValue }
            guard !verbs.isEmpty, !device.isPlanned else { return nil }
            (self.device, self.entity, self.verbs) = (device, entity, verbs)
        }
    }

    private var paths: [Path: Conditions] = [:]

    public init() {}

    /// Adds what `grant` lets an opener do with a door, at whatever hour and however often.
    ///
    /// - Parameters:
    ///   - verbs: only these; nil is all that let somebody in.
    ///   - cause: as in `Way`.
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
        // Two ways of one opener to one door differ in what they take: the easier one counts.
        guard let known = paths[way], !terms.isWeaker(than: known) else { return paths[way] = terms }
    }

    /// The ways that are new since `before`, or easier than they were.
    ///
    /// - Parameter opener: whose own ways do not count, since it is they who write.
    public func widenedPaths(since before: EffectiveAccess, besides opener: String? = nil) -> Set<Path> {
        Set(
            paths.filter { way, terms in
                guard way.opener != opener else { return false }
                return before.paths[way].map { terms.isWeaker(than: $0) } ?? true
            }.keys)
    }
}
