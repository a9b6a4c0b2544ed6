import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Reads the journal from its own cursor and plans the notifications, in one transaction with the cursor, so that each person is notified
/// exactly once even after a crash.
struct NotificationPlanner: Sendable {
    let store: Store
    let environment: HubEnvironment

    /// Journal rows that are read in one transaction.
    private static let pageSize = 256

    /// Plans the notifications for new journal rows.
    ///
    /// - Returns: true if there may be more.
    func processJournal() async throws -> Bool {
        guard try await store.read({ try Journal.last(in: $0) > NoticeRecords.cursor($0) }) else { return false }
        let now = environment.now()
        // Read in the same transaction: a person it names may have been erased before.
        return try await store.write { [environment] db in
            let cursor = try NoticeRecords.cursor(db)
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT seq, at, kind, device_id, subject, opened(data, 'journal.data', seq) AS data FROM journal
                        WHERE seq > ? AND kind IN ('event_recorded', 'command_accepted', 'mind_changed', 'maintenance_changed') ORDER BY seq LIMIT ?
                        """), arguments: [cursor, Self.pageSize])
            let last = try Self.last(rows, db)
            guard last > cursor else { return false }
            let audience = try Audience(db)
            for row in try rows.map(JournalEntry.init) {
                guard let (fact, name) = try Self.fact(row, at: now, db) else { continue }
                try Self.notify(fact, called: name, audience: audience, at: now, environment, in: db)
            }
            try NoticeRecords.moveCursor(to: last, in: db)
            return rows.count == Self.pageSize
        }
    }

    /// Returns the next position of the cursor: the last row that was read, or the end of the journal.
    private static func last(_ rows: [Row], _ db: Database) throws -> Int64 {
        if rows.count == pageSize, let last = rows.last { return last[0] }
        return try max(Journal.last(in: db), rows.last?[0] ?? 0)
    }

    /// Returns the notification that a row gives cause for; nil if it gives none.
    private static func fact(_ row: JournalEntry, at now: Date, _ db: Database) throws -> (NotifiableFact, String)? {
        guard let subject = row.subject else { return nil }
        if row.isJobNotice { return try row.jobNotice(subject, db) }
        if row.kind == Journal.Kind.mindChanged.rawValue { return try row.mindNotice(subject, db) }
        if row.kind == Journal.Kind.maintenanceChanged.rawValue { return try row.maintenanceNotice(subject, db) }
        if row.kind == Journal.Kind.eventRecorded.rawValue {
            guard let event = try EventRecords.one(subject, db) else { return nil }
            return (
                NotifiableFact(
                    kind: NoticeKind(of: event.type), subject: event.id, incident: event.incidentID, place: event.place, at: event.at),
                event.cameraName
            )
        }
        // An answered request needs no approver.
        guard let command = try CommandRecords.one(subject, db), command.canBeApproved(at: now) else { return nil }
        let name = try DeviceRecords.one(command.deviceID, db)?.name ?? command.deviceID
        return (
            NotifiableFact(kind: .ask, subject: command.id, incident: command.id, place: command.deviceID, at: command.acceptedAt), name
        )
    }

    /// A row of the journal that may need a notification.
    private struct JournalEntry {
        let at: Date
        let kind: String
        let deviceID: String?
        let subject: String?
        let data: [String: JSONValue]

        init(_ row: Row) throws {
            (at, kind, deviceID, subject) = (Date(milliseconds: row[1]), row[2], row[3], row[4])
            data = try JSONText.object(row[5])
        }

        /// Returns the notification that the mind asks for. `notice` is its kind, `words` its text, `words_in` its text for people who use
        /// the other temperature unit, `incident` the group it belongs to, `person_id` its only recipient, and `needs` the right required
        /// to receive it.
        func mindNotice(_ subject: String, _ db: Database) throws -> (NotifiableFact, String)? {
            guard let kind = data["notice"]?.string.flatMap(NoticeKind.init), let words = data["words"]?.string else { return nil }
            let device = try deviceID.flatMap { try DeviceRecords.one($0, db) }
            let fact = NotifiableFact(
                kind: kind, subject: subject, incident: data["incident"]?.string ?? subject, place: deviceID ?? "mind", at: at,
                words: words, wordsIn: textByUnit,
                personID: data["person_id"]?.string, needs: data["needs"]?.string.flatMap(Right.init))
            return (fact, device?.name ?? "")
        }

        var isJobNotice: Bool { kind == Journal.Kind.mindChanged.rawValue && data["notice"]?.string == NoticeKind.work.rawValue }

        /// A finished job, for its requester; nil if they were erased meanwhile.
        func jobNotice(_ subject: String, _ db: Database) throws -> (NotifiableFact, String)? {
            guard let job = try JobRecords.one(subject, db), let requester = job.askedBy, let words = job.notificationText else {
                return nil
            }
            let fact = NotifiableFact(
                kind: .work, subject: subject, incident: subject, place: "privacy", at: at, words: words, personID: requester)
            return (fact, "")
        }

        private var textByUnit: [TemperatureUnit: String] {
            Dictionary(
                TemperatureUnit.allCases.compactMap { unit in data["words_in"]?[unit.rawValue]?.string.map { (unit, $0) } },
                uniquingKeysWith: { first, _ in first })
        }

        /// A task that is due; nil if it was completed or postponed meanwhile.
        func maintenanceNotice(_ subject: String, _ db: Database) throws -> (NotifiableFact, String)? {
            guard let day = data["due_on"]?.string.flatMap({ CalendarDay($0) }), let task = try MaintenanceTaskRecords.one(subject, db),
                task.due?.on == day
            else { return nil }
            let device = try deviceID.flatMap { try DeviceRecords.one($0, db) }
            let fact = NotifiableFact(
                kind: .maintenance, subject: "\(subject):\(day)", incident: "\(subject):\(day)", place: deviceID ?? "maintenance", at: at,
                words: "\(task.title) is due.", needs: .manageMaintenance)
            return (fact, device?.name ?? "")
        }
    }

    private static func notify(
        _ fact: NotifiableFact, called name: String, audience: Audience, at now: Date, _ environment: HubEnvironment, in db: Database
    ) throws {
        for person in audience.people where person.maySee(fact) {
            let fact = fact.localized(in: person.temperatureUnit)
            let verdict = NoticeRule.decide(
                fact, for: person.preferences, last: try NoticeRecords.last(of: fact.incident, to: person.id, db), at: now)
            guard verdict != .skip else { continue }
            let isLate = now.timeIntervalSince(fact.at) > NoticeRule.freshnessInterval
            let isNew = try NoticeRecords.insert(
                .init(
                    id: "notice_" + environment.newID(), personID: person.id, fact: fact, placeName: name, now: now,
                    isQuiet: verdict == .storeOnly, escalatesAt: isLate ? nil : person.escalation(of: fact, at: now)), in: db)
            if isNew && verdict == .deliver { try NoticeDeliveryRecords.enqueue(fact, to: person.id, at: now, in: db) }
        }
    }

    // MARK: Escalation

    /// Notifies the next person about what was not answered in time.
    func escalate() async throws {
        let now = environment.now()
        let due = try await store.read { try NoticeRecords.nextUnanswered($0).map { $0 <= now } ?? false }
        guard due else { return }
        try await store.write { [environment] db in
            let audience = try Audience(db)
            for notice in try NoticeRecords.unanswered(at: now, limit: Self.pageSize, db) {
                try NoticeRecords.clearEscalation(notice.id, in: db)
                let next = audience.people.first { $0.id == notice.personID }?.preferences.escalation?.personID
                guard let next = audience.people.first(where: { $0.id == next }), next.maySee(notice.fact),
                    try Self.isStillOpen(notice, at: now, db)
                else { continue }
                let verdict = NoticeRule.decide(escalated: notice.fact, for: next.preferences, at: now)
                guard verdict != .skip else { continue }
                let isNew = try NoticeRecords.insert(
                    .init(
                        id: "notice_" + environment.newID(), personID: next.id, fact: notice.fact, placeName: notice.placeName, now: now,
                        isQuiet: verdict == .storeOnly, escalatedFrom: notice.id, escalatesAt: next.escalation(of: notice.fact, at: now)),
                    in: db)
                if isNew && verdict == .deliver { try NoticeDeliveryRecords.enqueue(notice.fact, to: next.id, at: now, in: db) }
            }
        }
    }

    /// Returns whether an answer still matters.
    static func isStillOpen(_ notice: Notice, at now: Date, _ db: Database) throws -> Bool {
        if notice.kind == .maintenance {
            let parts = notice.fact.subject.split(separator: ":").map(String.init)
            guard parts.count == 2, let day = CalendarDay(parts[1]) else { return false }
            return try MaintenanceTaskRecords.one(parts[0], db)?.due?.on == day
        }
        return try notice.commandID.map { try CommandRecords.one($0, db)?.canBeApproved(at: now) ?? false } ?? true
    }

    /// Returns the time of the next escalation; nil if no answer is awaited.
    func nextEscalation() async throws -> Date? {
        try await store.read { try NoticeRecords.nextUnanswered($0) }
    }
}

/// All residents with their notification preferences.
private struct Audience {
    struct Member {
        let person: Person
        let preferences: NoticePreferences
        /// In which they read temperatures.
        let temperatureUnit: TemperatureUnit
        /// True if the owner lets this person answer guests who ask to be let in.
        let answersAsks: Bool

        var id: String { person.id }

        /// Returns whether the person may receive the notification. One for a single person is theirs alone. A guest's request goes to
        /// those who may answer it; other kinds need their right, except those sent on request.
        func maySee(_ fact: NotifiableFact) -> Bool {
            guard (fact.personID ?? id) == id else { return false }
            if fact.kind == .ask { return answersAsks }
            return fact.kind.isOnRequest || person.rights.contains(fact.requiredRight)
        }

        func escalation(of fact: NotifiableFact, at now: Date) -> Date? {
            guard Escalation.kinds.contains(fact.kind) else { return nil }
            return preferences.escalation.map { now.addingTimeInterval(Double($0.after)) }
        }
    }

    let people: [Member]

    init(_ db: Database) throws {
        let answerers = try GuestApprovers.chosen(db)
        people = try PeopleRecords.all(db).map { person in
            Member(
                person: person, preferences: try NoticePreferenceRecords.one(of: person.id, db),
                temperatureUnit: try PeoplePreferences.read(person.id, db).temperatureUnit, answersAsks: answerers.includes(person))
        }
    }
}
