import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Learns the habits of the house.
extension Mind {
    /// The progress of learning.
    struct LearningProgress: Codable {
        /// The number of the last event learned from; 0 while it learns the whole past, in the order of time.
        var through: Int64 = 0
        /// The time of the latest event learned from. Events reported later from before it are stored, but not learned from.
        var latest = Date.distantPast
        /// The hours of sensors before this one have been learned.
        var hours: Date?
        /// The position in past events.
        var place: HouseEventRecords.Cursor?

        var isReplayingPast: Bool { through == 0 && place != nil }

        mutating func clampToPresent(at now: Date) {
            latest = min(latest, now)
            hours = hours.map { min($0, now) }
        }
    }

    /// The number of events learned from in one step.
    private static let eventBatchSize = 2000
    /// The number of past days from which a sensor's level is learned at first.
    private static let initialLevelDays: TimeInterval = 30
    /// Seconds after the end of an hour in which its readings may still arrive.
    private static let hourGracePeriod: TimeInterval = 600

    func learn(_ snapshot: HouseSnapshot?) async throws {
        let now = time.now()
        // A clock that was ahead for a while has not taught anything about the future.
        state.withLock { $0.learningProgress.clampToPresent(at: now) }
        let isUpToDate = try await learnEvents(snapshot, at: now)
        if isUpToDate, let snapshot { try await learnLevels(snapshot, at: now) }
        try await saveState()
        if let snapshot { try await consolidateDaily(snapshot, at: now) }
    }

    /// - Returns: true if there is nothing more to learn from at the moment.
    private func learnEvents(_ snapshot: HouseSnapshot?, at now: Date) async throws -> Bool {
        let studies = state.withLock { $0.learningProgress }
        let isPast = studies.through == 0
        let news = try await store.read { db in
            try isPast
                ? HouseEventRecords.pageByTime(after: studies.place, limit: Self.eventBatchSize, db)
                : HouseEventRecords.pageByNumber(studies.through, limit: Self.eventBatchSize, db)
        }
        state.withLock { inner in
            // Relearning was requested meanwhile.
            guard inner.learningProgress.through == studies.through, inner.learningProgress.place == studies.place else { return }
            for event in news.events.sorted(by: { $0.at < $1.at })
            where event.at >= inner.learningProgress.latest && event.at <= now {
                inner.habits?.learn(event)
                inner.learningProgress.latest = event.at
            }
            if isPast { inner.learningProgress.place = news.cursor ?? studies.place }
            guard !isPast || news.isLast else { return }
            inner.learningProgress.through = news.lastNumber
            inner.learningProgress.place = nil
            // Only when the whole past is learned does it continue with new events.
            guard news.isLast else { return }
            if let snapshot { inner.habits?.update(snapshot, at: now) }
            inner.habits?.advance(to: now)
        }
        return news.isLast
    }

    /// Learns from the sensor readings of completed hours.
    private func learnLevels(_ snapshot: HouseSnapshot, at now: Date) async throws {
        let end = HourBuckets.hour(of: now.addingTimeInterval(-Self.hourGracePeriod))
        let from = state.withLock { $0.learningProgress.hours } ?? end.addingTimeInterval(-Self.initialLevelDays * Self.day)
        guard from < end else { return }
        for device in snapshot.devices {
            for entity in device.entities where Habits.hasLevel(entity) {
                let hours = try await houseReader.hours(of: entity.id, from: from, to: end)
                state.withLock { inner in for hour in hours { inner.habits?.learn(hour, of: entity, on: device) } }
            }
        }
        state.withLock { $0.learningProgress.hours = end }
    }

    /// Consolidates the memories once a day.
    private func consolidateDaily(_ snapshot: HouseSnapshot, at now: Date) async throws {
        try await memories.maintain(people: Set(snapshot.people.map(\.key)))
        let isDue = state.withLock { inner in
            guard let last = inner.consolidatedAt, now >= last else {
                inner.consolidatedAt = now
                return false
            }
            guard now.timeIntervalSince(last) >= Self.day else { return false }
            inner.consolidatedAt = now
            return true
        }
        guard isDue else { return }
        let (sure, border) = try await store.read { db in
            (try ClockRecords.trustedTime(of: now, db), try RetentionRecords.cutoff(.memories, at: now, in: db))
        }
        state.withLock { $0.mood.prune(at: sure, keepingFrom: border) }
        try await memories.consolidate(zone: snapshot.zone, id: "memory_tidied_\(now.milliseconds)", lexicon)
    }
}

extension Mind.MutableState {
    /// Deletes everything learned so that it is learned anew, except for people's corrections.
    mutating func resetHabits(in zone: TimeZone) {
        habits = Habits(zone: zone, corrections: habits?.corrections ?? [:])
        learningProgress = Mind.LearningProgress()
    }
}
