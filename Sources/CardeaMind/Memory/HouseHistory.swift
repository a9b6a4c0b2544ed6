import CardeaModel
import Foundation

/// What the mind can look up of the past.
public protocol HouseHistory: Sendable {
    /// What happened, as far as `sight` reaches, in the order asked for.
    func events(_ wanted: HouseEventFilter, seenBy sight: AskerVisibility) async throws -> [HouseEvent]

    /// How many of those there are, whatever the limit says.
    func count(_ wanted: HouseEventFilter, seenBy sight: AskerVisibility) async throws -> Int

    /// A sensor's hours, oldest first; energy only where `sight` reaches it.
    func hours(of entityID: String, from: Date, to: Date, seenBy sight: AskerVisibility) async throws -> [HourlyReading]

    /// What was asked of devices by what others have written down of the past, oldest first; for the mind alone. Where there is more of it
    /// than is looked at, since when it is all there.
    func importedCommands(since: Date) async throws -> (happenings: [HouseEvent], since: Date?)

    /// What happened before this may be forgotten, though how each thing stood then may be known still; nil where nothing is forgotten.
    func retentionStart() async throws -> Date?

    /// False where the house doubts its clock, so that the times of what happened may be wrong.
    func isClockReliable() async throws -> Bool
}

extension HouseHistory {
    /// By looking at each of them, where they are all at hand.
    public func count(_ wanted: HouseEventFilter, seenBy sight: AskerVisibility) async throws -> Int {
        var all = wanted
        all.limit = .max
        return try await events(all, seenBy: sight).count
    }

    /// Nothing, where nobody brings a past.
    public func importedCommands(since: Date) async throws -> (happenings: [HouseEvent], since: Date?) { ([], nil) }

    public func retentionStart() async throws -> Date? { nil }

    public func isClockReliable() async throws -> Bool { true }
}

/// Which happenings are wanted. What is nil is not asked about.
public struct HouseEventFilter: Hashable, Sendable {
    public var devices: Set<String>?
    public var entities: Set<String>?
    public var actors: Set<String>?
    public var kinds: Set<Kind>?
    public var from: Date?
    /// Not part of it.
    public var to: Date?
    public var newestFirst: Bool
    /// 1 to 1000.
    public var limit: Int

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case state, asked, seen, presence, standing
    }

    public init(
        devices: Set<String>? = nil, entities: Set<String>? = nil, actors: Set<String>? = nil, kinds: Set<Kind>? = nil, from: Date? = nil,
        to: Date? = nil, newestFirst: Bool = true, limit: Int = 100
    ) {
        self.devices = devices
        self.entities = entities
        self.actors = actors
        self.kinds = kinds
        self.from = from
        self.to = to
        self.newestFirst = newestFirst
        self.limit = min(max(limit, 1), 1000)
    }
}

extension HouseEvent.Fact {
    public var kind: HouseEventFilter.Kind {
        switch self {
        case .state: .state
        case .command: .asked
        case .sighting: .seen
        case .presence: .presence
        case .deviceStatus: .standing
        }
    }
}
