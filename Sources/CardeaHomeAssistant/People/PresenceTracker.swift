import CardeaHub
import CardeaModel
import Foundation

/// The states of all persons and device trackers of Home Assistant. They are kept in memory only, and reported if a person linked one.
struct PresenceTracker: Sendable {
    /// The most that are known.
    static let limit = 1000

    private struct Entry {
        var state: PresenceState
        /// The beginning of the state, by the clock of the house.
        var since: Date
    }

    private var trackedEntries: [String: Entry] = [:]

    /// Replaces all states: one that is missing is gone.
    mutating func replaceAll(_ states: JSONValue, at now: Date) {
        guard case .array(let states) = states else { return }
        let heard = states.compactMap { PresenceState($0) }
        let there = Set(heard.map(\.entityID))
        trackedEntries = trackedEntries.filter { there.contains($0.key) }
        for state in heard { _ = apply(state, at: now) }
    }

    /// Applies one state. Returns true if it differs from the one before.
    mutating func apply(_ state: PresenceState, at now: Date) -> Bool {
        let before = trackedEntries[state.entityID]
        guard before != nil || trackedEntries.count < Self.limit else { return false }
        if let before, before.state.isHome == state.isHome, before.state.changedAt == state.changedAt {
            trackedEntries[state.entityID]?.state = state
            return false
        }
        // Home Assistant's clock may be wrong: only the age of a live report is used.
        let since = state.age.map { now.addingTimeInterval(-$0) } ?? min(state.changedAt, now)
        trackedEntries[state.entityID] = Entry(state: state, since: since)
        return true
    }

    mutating func remove(_ entityID: String) { trackedEntries[entityID] = nil }

    /// The sources that a person may link: an entity without a registry id could be another one tomorrow, and hidden ones are not shown.
    func sources(among entries: [String: EntityRegistryEntry]) -> [PresenceSource] {
        trackedEntries.values.sorted { $0.state.entityID < $1.state.entityID }.compactMap { one in
            guard let entry = entries[one.state.entityID], entry.hasOwnID, !entry.isExcluded else { return nil }
            return PresenceSource(
                key: entry.id, entityID: one.state.entityID, name: one.state.name,
                presence: one.state.isHome.map { Person.Presence(isHome: $0, since: one.since) })
        }
    }
}
