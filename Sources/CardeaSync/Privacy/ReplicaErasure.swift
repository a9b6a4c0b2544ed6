import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// Erases people here who were erased in the house, and reports it to the house.
struct ReplicaErasure: Sendable {
    let sealing: SealingKey

    /// Kinds of things that may contain data of people. Devices, rooms, scenes and the house belong to the household, whatever their names.
    private static let kinds = ReplicaDocumentKind.allCases.filter { ![.device, .room, .scene, .house].contains($0) }

    /// The number of erasures here so far.
    static func count(in db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT erasures FROM replica")) ?? 0
    }

    /// Deletes all data that is, or may be, of these people. Everything is read anew, and the house gets a report.
    ///
    /// Answers and pictures may contain data of any person. Texts that other people wrote are kept, as in the house.
    func erase(_ people: [String], in db: Database) throws {
        guard !people.isEmpty else { return }
        let documents = ReplicaDocumentTable(sealing: sealing)
        for kind in Self.kinds {
            try documents.replace(kind, with: [], in: db)
            try documents.markStale(kind, in: db)
        }
        try CachedAnswerTable.removeAll(in: db)
        try eraseFromOutbox(people, in: db)
        for id in people {
            try db.execute(
                sql: "INSERT OR REPLACE INTO erased (mark, sealed) VALUES (?, ?)",
                arguments: [key(id), try sealing.seal(Data(id.utf8), for: sealingContext(id))])
        }
        try db.execute(sql: "UPDATE replica SET whole_at = 0, erasures = erasures + 1")
    }

    /// The same for people who were not erased here yet. Returns whether there were any.
    func eraseIfNew(_ people: [String], in db: Database) throws -> Bool {
        let known = try Data.fetchSet(db, sql: "SELECT mark FROM erased")
        let new = people.filter { !known.contains(key($0)) }
        try erase(new, in: db)
        return !new.isEmpty
    }

    /// Deletes operations, pending or ended, and conflicts that mention one of the people.
    private func eraseFromOutbox(_ people: [String], in db: Database) throws {
        let (outbox, conflicts) = (Outbox(sealing: sealing), ConflictTable(sealing: sealing))
        for entry in try outbox.all(in: db) where Self.mentions(people, try JSONEncoder().encode(entry.operation)) {
            try outbox.remove(entry.id, in: db)
        }
        try outbox.removeLateAnswers(in: db)
        for conflict in try conflicts.all(in: db) {
            guard
                try Self.mentions(people, JSONEncoder().encode(conflict.local)) || Self.mentions(people, WireFormat.encode(conflict.remote))
            else {
                continue
            }
            try conflicts.remove(conflict.id, in: db)
        }
    }

    private static func mentions(_ people: [String], _ json: Data) -> Bool {
        people.contains { json.range(of: Data("\"\($0)\"".utf8)) != nil }
    }

    /// Deletes operations on the erased person's passes, and all names of their guests.
    func erasePasses(in db: Database) throws {
        let outbox = Outbox(sealing: sealing)
        for entry in try outbox.all(in: db) {
            guard case .withdrawal(let withdrawal) = entry.operation, try outbox.documents.find(.guest, withdrawal.guestID, in: db) == nil
            else { continue }
            try outbox.remove(entry.id, in: db)
        }
    }

    /// The people whose erasure was not yet reported to the house.
    func unconfirmed(in db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "SELECT mark, sealed FROM erased WHERE sealed IS NOT NULL ORDER BY mark").map { row in
            String(decoding: try sealing.open(row[1], for: sealingContext(of: row[0])), as: UTF8.self)
        }
    }

    func markConfirmed(_ people: [String], in db: Database) throws {
        for id in people { try db.execute(sql: "UPDATE erased SET sealed = NULL WHERE mark = ?", arguments: [key(id)]) }
    }

    /// Deletes everything, because the person who owns this replica was erased.
    static func eraseEverything(in db: Database) throws {
        for table in ["documents", "stale_kinds", "outbox", "conflicts", "answers", "pictures", "trail", "erased"] {
            try db.execute(sql: "DELETE FROM \(table)")
        }
        try db.execute(sql: "UPDATE replica SET cursor = NULL, level_at = NULL, whole_at = NULL, erasures = erasures + 1")
    }

    private func key(_ id: String) -> Data { sealing.mark(Data("erased/\(id)".utf8)) }
    private func sealingContext(_ id: String) -> String { sealingContext(of: key(id)) }
    private func sealingContext(of mark: Data) -> String { "erased/\(mark.base64EncodedString())" }
}

extension Replica {
    /// Reports erasures to the house once their data is deleted; repeats until the house has received it.
    func confirmErasures() async throws {
        let erased = ReplicaErasure(sealing: store.sealing)
        let people = try await store.read { try erased.unconfirmed(in: $0) }
        guard !people.isEmpty else { return }
        try await store.write { try erased.erasePasses(in: $0) }
        client.releaseMemory()
        // Tried again later.
        guard try await store.truncateWriteAheadLog() else { return }
        for start in stride(from: 0, to: people.count, by: ReplicaBody.maxConfirmations) {
            let some = Array(people[start..<min(start + ReplicaBody.maxConfirmations, people.count)])
            _ = try await client.privacy.reportReplica(without: some)
            try await store.write { try erased.markConfirmed(some, in: $0) }
        }
    }

    /// Deletes the replica and signs the person out, because they were erased in the house.
    ///
    /// The order matters: if it is interrupted, the house reports the erasure again and it starts from the beginning.
    func eraseEverything() async throws {
        try await store.write { try ReplicaErasure.eraseEverything(in: $0) }
        answers.clearMemory()
        client.releaseMemory()
        guard try await store.truncateWriteAheadLog() else { return }
        try await client.sessions.clearLocal()
    }
}

extension ClientError {
    /// True if the house does not track replicas, or not this one.
    var rejectsReplicas: Bool { if case .api(let error) = self { [403, 404, 405].contains(error.status) } else { false } }

    /// True if the house reports that the caller was erased. The data of a `Replica` is deleted by then.
    public var isPersonErased: Bool {
        if case .api(let error) = self { error.status == 401 && error.code == "person_erased" } else { false }
    }
}
