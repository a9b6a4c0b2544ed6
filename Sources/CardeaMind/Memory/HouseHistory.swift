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
