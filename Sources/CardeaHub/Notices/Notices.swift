import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The notifications to people who are not looking at the house: a visitor at the door, a guest who asks to be let in.
///
/// They are kept for 30 days and only their recipient may read them. `NotificationPlanner` derives them from the journal, and
/// `NotificationDispatcher` delivers them.
public struct Notices: Sendable {
    let store: Store
    let environment: HubEnvironment

    public enum NoticeError: Error {
        case notFound
        case field(FieldError)
        /// A field's name and its requirement, in words that follow the name.
        case invalidField(String, String)
        /// Changed meanwhile, from another device.
        case stale(NoticePreferences)
    }

    // MARK: Notifications

    public struct Page: Sendable {
        public let notices: [Notice]
        public let hasMore: Bool
        /// The number of notifications not marked as seen.
        public let unseen: Int
    }

    /// One's own, newest first.
    ///
    /// - Parameters:
    ///   - before: the last notification of the page before.
    ///   - limit: 1 to 100.
    public func page(before id: String? = nil, limit: Int = 20, of principal: Principal) async throws -> Page {
        let (personID, _) = try principal.asPerson()
        let limit = min(max(limit, 1), 100)
        return try await store.read { db in
            let notices = try NoticeRecords.page(of: personID, before: id, limit: limit + 1, db)
            return Page(
                notices: Array(notices.prefix(limit)), hasMore: notices.count > limit,
                unseen: try NoticeRecords.unacknowledgedCount(by: personID, db))
        }
    }

    /// Marks a notification as seen: it is not escalated to another person. Repeating it changes nothing.
    public func acknowledge(_ id: String, by principal: Principal, origin: RequestOrigin) async throws -> Notice {
        let now = environment.now()
        return try await store.auditedWrite("notice.acknowledge", by: principal, origin: origin, at: now) { context in
            let (personID, _) = try principal.asPerson()
            guard let notice = try NoticeRecords.one(id, of: personID, context.db) else { throw NoticeError.notFound }
            try NoticeRecords.acknowledge(notice, at: now, in: context.db)
            guard let after = try NoticeRecords.one(id, of: personID, context.db) else { throw NoticeError.notFound }
            return after
        }
    }

    /// Marks all notifications up to now as seen.
    ///
    /// - Returns: the number of new ones.
    public func acknowledgeAll(by principal: Principal, origin: RequestOrigin) async throws -> Int {
        let now = environment.now()
        return try await store.auditedWrite("notice.acknowledge", by: principal, origin: origin, at: now) { context in
            let (personID, _) = try principal.asPerson()
            try context.db.execute(
                sql: """
                    UPDATE notices SET escalates_at = NULL WHERE escalates_at IS NOT NULL AND incident IN
                        (SELECT incident FROM notices WHERE person_id = ? AND acknowledged_at IS NULL)
                    """, arguments: [personID])
            try context.db.execute(
                sql: "UPDATE notices SET acknowledged_at = ? WHERE person_id = ? AND acknowledged_at IS NULL",
                arguments: [now.milliseconds, personID])
            return context.db.changesCount
        }
    }

    // MARK: Settings

    /// Returns the preferences of the principal, or of a person whom they manage.
    public func preferences(of id: String, seenBy principal: Principal) async throws -> NoticePreferences {
        try await store.read { db in try NoticePreferenceRecords.one(of: try Self.subject(id, principal, db), db) }
    }

    public func change(
        _ preferences: NoticePreferences, of id: String, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin
    ) async throws -> NoticePreferences {
        let now = environment.now()
        return try await store.auditedWrite("people.notifications", on: .person(id), by: principal, origin: origin, at: now) { context in
            let id = try Self.subject(id, principal, context.db)
            do throws(FieldError) { try preferences.check() } catch { throw NoticeError.field(error) }
            let before = try NoticePreferenceRecords.one(of: id, context.db)
            guard seen.allows(before.version) else { throw NoticeError.stale(before) }
            if preferences.escalation != before.escalation, let next = preferences.escalation?.personID {
                guard next != id, let person = try PeopleRecords.one(next, context.db), person.rights.contains(.controlDevices) else {
                    throw NoticeError.invalidField("escalation.person_id", "must be the id of another resident")
                }
            }
            var preferences = preferences
            preferences.version = before.version + 1
            try NoticePreferenceRecords.save(preferences, of: id, in: context.db)
            try Journal.append(.personChanged, subject: id, data: ["notifications": true], at: now, in: context.db)
            return preferences
        }
    }

    private static func subject(_ id: String, _ principal: Principal, _ db: Database) throws -> String {
        let (own, _) = try principal.asPerson()
        if id == own || id == "me" { return own }
        try People.require(.managePeople, of: principal, in: db)
        guard let person = try PeopleRecords.one(id, db) else { throw NoticeError.notFound }
        try People.requireManaging(person.role, by: principal, in: db)
        return person.id
    }

    // MARK: Deleting

    /// Deletes the notifications and preferences of a removed person.
    static func delete(_ personID: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM notices WHERE person_id = ?", arguments: [personID])
        try db.execute(sql: "DELETE FROM notice_preferences WHERE person_id = ?", arguments: [personID])
        try db.execute(
            sql: "UPDATE notice_preferences SET escalates_to = NULL, escalates_after = NULL, version = version + 1 WHERE escalates_to = ?",
            arguments: [personID])
    }
}
