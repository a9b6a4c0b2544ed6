import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// What it learns of how the house usually is.
extension Mind {
    /// How far it has learned.
    struct Studies: Codable {
        /// The last happening it has learned from; 0 while it learns the whole past, which it does in the order in which that was.
        var through: Int64 = 0
        /// The moment of the latest thing it has learned from: what comes from before it is remembered, and teaches nothing.
        var latest = Date.distantPast
        /// The hours of sensors before this one are learned.
        var hours: Date?
        /// Where in the past it is.
        var place: HappeningRecords.Place?

        var isInThePast: Bool { through == 0 && place != nil }

        mutating func mend(at now: Date) {
            latest = min(latest, now)
            hours = hours.map { min($0, now) }
        }
    }

    /// Happenings that are learned from at once.
    private static let lesson = 2000
    /// Days of hours that a sensor is known by from the start.
    private static let levelDays: TimeInterval = 30
    /// Seconds after an hour until which what belongs to it may still be told.
    private static let lateness: TimeInterval = 600

    func learn(_ picture: HousePicture?) async throws {
        let now = time.now()
        // A clock that was ahead for a while has taught nothing of what was to come.
        inner.withLock { $0.studies.mend(at: now) }
        let isUpToDate = try await learnHappenings(picture, at: now)
        if isUpToDate, let picture { try await learnLevels(picture, at: now) }
        try await keepItself()
        if let picture { try await tidy(picture, at: now) }
    }

    /// - Returns: whether there is nothing more to learn from just now.
    private func learnHappenings(_ picture: HousePicture?, at now: Date) async throws -> Bool {
        let studies = inner.withLock { $0.studies }
        let isPast = studies.through == 0
        let news = try await store.read { db in
            try isPast
                ? HappeningRecords.past(after: studies.place, limit: Self.lesson, db)
                : HappeningRecords.since(studies.through, limit: Self.lesson, db)
        }
        inner.withLock { inner in
            // Somebody had it learn anew meanwhile.
            guard inner.studies.through == studies.through, inner.studies.place == studies.place else { return }
            for happening in news.happenings.sorted(by: { $0.at < $1.at }) where happening.at >= inner.studies.latest && happening.at <= now
            {
                inner.habits?.take(happening)
                inner.studies.latest = happening.at
            }
            if isPast { inner.studies.place = news.place ?? studies.place }
            guard !isPast || news.isLast else { return }
            inner.studies.through = news.through
            inner.studies.place = nil
            // Only from where it knows all that was before does it go on to now.
            guard news.isLast else { return }
            if let picture { inner.habits?.know(picture, at: now) }
            inner.habits?.advance(to: now)
        }
        return news.isLast
    }

    /// What sensors showed in the hours that are over.
    private func learnLevels(_ picture: HousePicture, at now: Date) async throws {
        let end = HourShelf.hour(of: now.addingTimeInterval(-Self.lateness))
        let from = inner.withLock { $0.studies.hours } ?? end.addingTimeInterval(-Self.levelDays * Self.day)
        guard from < end else { return }
        for device in picture.devices {
            for entity in device.entities where Habits.hasLevel(entity) {
                let hours = try await senses.hours(of: entity.id, from: from, to: end)
                inner.withLock { inner in for hour in hours { inner.habits?.take(hour, of: entity, on: device) } }
            }
        }
        inner.withLock { $0.studies.hours = end }
    }

    /// Once a day it makes order in its memories.
    private func tidy(_ picture: HousePicture, at now: Date) async throws {
        try await memories.tidy(people: Set(picture.people.map(\.key)))
        let isDue = inner.withLock { inner in
            guard let last = inner.tidiedAt, now >= last else {
                inner.tidiedAt = now
                return false
            }
            guard now.timeIntervalSince(last) >= Self.day else { return false }
            inner.tidiedAt = now
            return true
        }
        guard isDue else { return }
        let (sure, border) = try await store.read { db in
            (try ClockRecords.sure(of: now, db), try RetentionRecords.border(.memories, at: now, in: db))
        }
        inner.withLock { $0.mood.tidy(at: sure, keepingFrom: border) }
        try await memories.consolidate(zone: picture.zone, id: "memory_tidied_\(now.milliseconds)", lexicon)
    }
}

extension Mind.Inner {
    /// Has it learn everything anew, but for what people put right.
    mutating func unlearn(in zone: TimeZone) {
        habits = Habits(zone: zone, corrections: habits?.corrections ?? [:])
        studies = Mind.Studies()
    }
}
