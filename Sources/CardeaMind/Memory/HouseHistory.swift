import CardeaModel
import Foundation

/// Access of the mind to past events.
public protocol HouseHistory: Sendable {
    /// The matching events that the requester may see, in the order asked for.
    func events(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> [HouseEvent]

    /// The number of matching events, ignoring the limit.
    func count(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> Int

    /// A sensor's hourly readings, oldest first; energy only if the requester may see it.
    func hours(of entityID: String, from: Date, to: Date, seenBy visibility: RequesterVisibility) async throws -> [HourlyReading]

    /// Commands in imported history, oldest first; for the mind alone. The result's `since` is the moment from which they are complete,
    /// if there are more than the limit; otherwise nil.
    func importedCommands(since: Date) async throws -> (events: [HouseEvent], since: Date?)

    /// The moment before which events may have been deleted, although the states at that time may still be known; nil if nothing is
    /// deleted.
    func retentionStart() async throws -> Date?

    /// False if the house doubts its clock, so that the times of events may be wrong.
    func isClockReliable() async throws -> Bool
}

extension HouseHistory {
    /// Counts by reading all events, for implementations that have them in memory.
    public func count(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> Int {
        var all = wanted
        all.limit = .max
        return try await events(all, seenBy: visibility).count
    }

    /// Empty if no history was imported.
    public func importedCommands(since: Date) async throws -> (events: [HouseEvent], since: Date?) { ([], nil) }

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
