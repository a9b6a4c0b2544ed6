import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Erases a person: their data is deleted, records of what they did stay without them, and the audit log keeps a pseudonym whose key is
/// destroyed. Their guests are erased with them; a guest can also be erased alone.
///
/// First, in one commit, they are removed from the house: signed out everywhere, their passes ended, their rows deleted. Then, in small
/// commits that do not delay doors, they are removed from the history. Each step does nothing if it was done, so that after a crash all of
/// them are repeated.
final class Erasure: Sendable {
    private let store: Store
    private let keys: AuditKeys
    private let exports: PersonalDataExporter
    private let events: Events
    private let environment: HubEnvironment
    private let personalDataProviders: PersonalDataProviders

    init(
        store: Store, keys: AuditKeys, exports: PersonalDataExporter, events: Events, memories: PersonalDataProviders,
        environment: HubEnvironment
    ) {
        self.store = store
        self.keys = keys
        self.exports = exports
        self.events = events
        self.personalDataProviders = memories
        self.environment = environment
    }

    /// Rows that are changed in one commit.
    private static let batchSize = 500
    private static let stepNames = ["signing_out", "their_doings", "the_record", "memories", "names", "traces"]

    func erase(_ job: Job) async throws {
        let id = job.personID
        var receipt = Receipt(job.receipt)
        func step(_ number: Int) async throws {
            try await store.write {
                try JobRecords.progress(job.id, step: Self.stepNames[number], done: number, total: Self.stepNames.count, in: $0)
            }
        }
        try await step(0)
        try await removeFromHouse(job, &receipt)
        let (names, guests) = (receipt.names, receipt.guests)
        let subjects = [job.isOfGuest ? "guest:\(id)" : "person:\(id)"] + guests.map { "guest:\($0)" }
        try await step(1)
        for one in [id] + guests { try await anonymize(one, &receipt) }
        try await step(2)
        try await destroyKeys(of: subjects)
        try await step(3)
        // Mentions of their names are searched once.
        for (place, subject) in subjects.enumerated() {
            receipt.add("memories", try await personalDataProviders.erase(subject, names: place == 0 ? names : []))
        }
        try await step(4)
        for (purpose, count) in try await NameRedaction(store: store, names: names).redact() { receipt.add(purpose.rawValue, count) }
        let now = environment.now()
        let rules = try await store.write { try AutomationReferences.erase([id] + guests, names: names, at: now, in: $0) }
        receipt.add(automations: rules)
        try await step(5)
        for one in [id] + guests { try await exports.removeAll(of: one) }
        // Their names are no longer needed, and are deleted before the log is emptied.
        receipt.names = []
        receipt.automations = []
        let left = receipt.json
        try await store.write {
            try $0.execute(sql: JobRecords.keepReceipt, arguments: [try JSONText.encode(left), job.id])
        }
        try await store.compact(words: ["memory_words", "event_words"])
        // Requests that were under way at the beginning may have made audit entries under a key of theirs since.
        try await destroyKeys(of: subjects)
        receipt.guests = []
        let (done, end) = (receipt.json, environment.now())
        try await store.write { db in
            try JobRecords.finish(job.id, at: end, receipt: done, in: db)
            // Not earlier: a client that reads the house again because of this must find nothing of the person.
            try ReplicaRecords.requireConfirmations(id, at: end, in: db)
        }
    }

    /// Removes the person from the house at once; `erase` does the rest.
    func begin(_ job: Job) async throws {
        var receipt = Receipt(job.receipt)
        try await removeFromHouse(job, &receipt)
    }

    // MARK: Steps

    private func destroyKeys(of subjects: [String]) async throws {
        let now = environment.now()
        try await store.write { [keys] db in
            for subject in subjects { try keys.destroy(of: subject, at: now, in: db) }
        }
    }

    /// Removes the person from the house. Their names are kept with the job until it is done.
    private func removeFromHouse(_ job: Job, _ receipt: inout Receipt) async throws {
        let (now, before) = (environment.now(), receipt)
        receipt = try await store.write { db in
            var receipt = before
            let isNew =
                try job.isOfGuest
                ? Self.removeGuest(job.personID, &receipt, at: now, in: db) : Self.signOut(job.personID, &receipt, at: now, in: db)
            if isNew { try db.execute(sql: JobRecords.keepReceipt, arguments: [try JSONText.encode(receipt.json), job.id]) }
            return receipt
        }
    }

    /// Ends all sessions, passes and rights of a resident.
    ///
    /// - Returns: false if that was done before.
    private static func signOut(_ id: String, _ receipt: inout Receipt, at now: Date, in db: Database) throws -> Bool {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT opened(name, 'people.name', id), opened(username, 'people.username', id) FROM people WHERE id = ?",
                arguments: [id])
        else { return false }
        let people = try String.fetchAll(
            db, sql: "SELECT opened(name, 'people.name', id) FROM people WHERE id <> ?", arguments: [id])
        receipt.names = unshared(try [row[0]] + PreviousNames.names(id, db), among: people)
        let passes = try Row.fetchAll(
            db, sql: "SELECT id, opened(name, 'guests.name', id) FROM guests WHERE created_by = ?", arguments: [id])
        let others = try String.fetchAll(
            db, sql: "SELECT opened(name, 'guests.name', id) FROM guests WHERE created_by <> ?", arguments: [id])
        receipt.guests = passes.map { $0[0] }
        receipt.names += try unshared(passes.map { $0[1] }, among: people + others).filter { try !HouseVocabulary.contains($0, db) }
        do {
            // A trigger keeps the last owner.
            try db.execute(
                sql:
                    "UPDATE people SET role = 'guest', username = NULL, username_mark = NULL, password_hash = NULL, removed_at = ? WHERE id = ?",
                arguments: [now.milliseconds, id])
        } catch let error as DatabaseError where error.message == "last_owner" {
            throw JobFailedError(message: "The last owner of a house cannot be erased. Make somebody else an owner first.")
        }
        let own = try ReplicaRecords.recordOwnReplicas(of: id, at: now, in: db)
        try Notices.delete(id, in: db)
        receipt.add(automations: try AutomationReferences.removeDepartedPeople(at: now, in: db)[id] ?? [])
        try Sessions.endAll(of: id, reason: "erased", at: now, in: db)
        for guest in receipt.guests { try endPass(guest, &receipt, at: now, in: db) }
        if let username: String = row[1] {
            // Failed attempts are counted under the typed user names, which may be a person's.
            try ThrottleRecords.resetAccount(username, in: db)
        }
        for holding in deletionOrder where holding.erasure == .deleted {
            guard let condition = holding.condition else { continue }
            // The job's result is still to be notified, without the person who asked.
            let sql =
                holding.table == "jobs"
                ? "UPDATE jobs SET asked_by = NULL WHERE \(condition)" : "DELETE FROM \(holding.table) WHERE \(condition)"
            try db.execute(sql: sql, arguments: ["id": id])
            receipt.add(holding.purpose.rawValue, db.changesCount)
        }
        try db.execute(
            sql: "INSERT OR IGNORE INTO erasures (person_id, at, own) VALUES (?, ?, ?)", arguments: [id, now.milliseconds, own])
        let seq = try Journal.append(.personChanged, subject: id, at: now, in: db)
        try AuditLog.append(
            .init(who: .house, action: "person.erased", grantID: "role:\(id)", result: .done, journalSeq: seq), in: .house(db, at: now))
        return true
    }

    /// Ends a guest's pass.
    ///
    /// - Returns: false if that has been done.
    private static func removeGuest(_ id: String, _ receipt: inout Receipt, at now: Date, in db: Database) throws -> Bool {
        try db.execute(sql: "INSERT OR IGNORE INTO erasures (person_id, at) VALUES (?, ?)", arguments: [id, now.milliseconds])
        guard let row = try Row.fetchOne(db, sql: "SELECT opened(name, 'guests.name', id) FROM guests WHERE id = ?", arguments: [id]) else {
            return false
        }
        let others = try String.fetchAll(
            db,
            sql: """
                SELECT opened(name, 'people.name', id) FROM people UNION ALL SELECT opened(name, 'guests.name', id) FROM guests WHERE id <> ?
                """, arguments: [id])
        receipt.names = try unshared([row[0]], among: others).filter { try !HouseVocabulary.contains($0, db) }
        try endPass(id, &receipt, at: now, in: db)
        try AuditLog.append(.init(who: .house, action: "guest.erased", grantID: id, result: .done), in: .house(db, at: now))
        return true
    }

    /// Ends a pass and deletes everything that belongs to it; it opens nothing from the next request on.
    private static func endPass(_ id: String, _ receipt: inout Receipt, at now: Date, in db: Database) throws {
        try Journal.append(.guestChanged, subject: id, data: ["decision": "revoke"], at: now, in: db)
        // Rows that belong to the pass are deleted before it.
        for holding in DataInventory.policies where holding.erasure == .deleted && holding.table != "guests" {
            guard let condition = holding.guestCondition else { continue }
            try db.execute(sql: "DELETE FROM \(holding.table) WHERE \(condition)", arguments: ["id": id])
            receipt.add(holding.purpose.rawValue, db.changesCount)
        }
        try db.execute(sql: "DELETE FROM guests WHERE id = ?", arguments: [id])
        receipt.add(TableRetentionPolicy.Purpose.passes.rawValue, db.changesCount)
    }

    /// Returns the names that no other person has: with a shared name, texts about the two cannot be told apart.
    private static func unshared(_ names: [String], among others: [String]) -> [String] {
        let taken = Set(others.map { $0.lowercased() })
        return names.filter { !$0.isEmpty && !taken.contains($0.lowercased()) }
    }

    /// Rows that refer to another row are deleted before it, and the row of the person last.
    private static let deletionOrder: [TableRetentionPolicy] = DataInventory.policies.sorted { one, other in rank(one) < rank(other) }

    private static func rank(_ holding: TableRetentionPolicy) -> Int {
        if holding.table == "people" { return 2 }
        if case .row = holding.ownership { return 0 }
        return 1
    }

    /// Removes the person from the records of what they did; the records stay.
    private func anonymize(_ id: String, _ receipt: inout Receipt) async throws {
        for holding in DataInventory.policies {
            guard case .blanked(let columns) = holding.erasure, let condition = holding.condition else { continue }
            var (after, count) = (Int64.min, 0)
            while true {
                try Task.checkCancellation()
                let keys = try await store.read { [after] db in
                    try Int64.fetchAll(
                        db,
                        sql: """
                            SELECT rowid FROM \(holding.table) WHERE rowid > :after AND (\(condition)) ORDER BY rowid LIMIT \(Self.batchSize)
                            """, arguments: ["id": id, "after": after])
                }
                guard let last = keys.last else { break }
                let pictures = try await store.write { db in
                    let pictures = try holding.table == "events" ? EventRecords.withPictures(among: keys, db) : []
                    try Self.anonymize(columns, of: keys, in: holding, db)
                    return pictures
                }
                // Without its key a file is unreadable; one that a crash leaves is deleted at the next start.
                try await events.deletePictures(of: pictures)
                (after, count) = (last, count + keys.count)
            }
            receipt.add(holding.purpose.rawValue, count)
        }
    }

    /// The rule that completed maintenance never changes is suspended here, for the person and their texts.
    private static func anonymize(_ columns: String, of keys: [Int64], in holding: TableRetentionPolicy, _ db: Database) throws {
        func change() throws { try db.execute(literal: "UPDATE \(sql: holding.table) SET \(sql: columns) WHERE rowid IN \(keys)") }
        guard holding.table == "maintenance_history" else { return try change() }
        try SealedColumns.withoutTriggers(of: holding.table, in: db, change)
    }

    /// The number of rows that an erasure removed, by purpose; and while it runs, the names and ids that it removes.
    private struct Receipt: Sendable {
        /// The names of the person and of their guests.
        var names: [String] = []
        /// The guests who are erased with their host, by id.
        var guests: [String] = []
        /// Of others' automations those that are counted already, by id.
        var automations: Set<String> = []
        private var rows: [String: Double] = [:]

        init(_ kept: JSONValue?) {
            names = Self.strings(kept?["names"])
            guests = Self.strings(kept?["guests"])
            automations = Set(Self.strings(kept?["automations"]))
            if case .object(let known)? = kept?["rows"] { rows = known.compactMapValues(\.number) }
        }

        private static func strings(_ value: JSONValue?) -> [String] {
            if case .array(let known)? = value { known.compactMap(\.string) } else { [] }
        }

        mutating func add(_ what: String, _ count: Int) { if count > 0 { rows[what, default: 0] += Double(count) } }

        /// One that waited for them may name them, too: each is counted once.
        mutating func add(automations found: Set<String>) {
            add(TableRetentionPolicy.Purpose.automations.rawValue, found.subtracting(automations).count)
            automations.formUnion(found)
        }

        var json: JSONValue {
            var members: [String: JSONValue] = ["rows": .object(rows.mapValues { .number($0) })]
            for (name, words) in [("names", names), ("guests", guests), ("automations", automations.sorted())] where !words.isEmpty {
                members[name] = .array(words.map { .string($0) })
            }
            return .object(members)
        }
    }
}
