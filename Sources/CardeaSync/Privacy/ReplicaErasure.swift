import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// People who were erased in the house: what is kept of them here goes, and the house hears that it has.
struct ReplicaErasure: Sendable {
    let sealing: SealingKey

    /// Kinds of things that may speak of people. Devices, rooms, scenes and the house are the household's, whatever they are called.
    private static let kinds = DocumentKind.allCases.filter { ![.device, .room, .scene, .house].contains($0) }

    /// How often somebody was taken out of here.
    static func count(in db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT erasures FROM replica")) ?? 0
    }

    /// Takes out whatever is, or may be, of these people. All of it is read anew, and the house is to hear of it.
    ///
    /// What was answered, and every picture, may speak of anybody. What others wish in their own words is theirs, as it is in the house.
    func erase(_ people: [String], in db: Database) throws {
        guard !people.isEmpty else { return }
        let documents = DocumentTable(sealing: sealing)
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

    /// The same, of those who have not been taken out yet. Answers whether there was anybody.
    func eraseIfNew(_ people: [String], in db: Database) throws -> Bool {
        let known = try Data.fetchSet(db, sql: "SELECT mark FROM erased")
        let new = people.filter { !known.contains(key($0)) }
        try erase(new, in: db)
        return !new.isEmpty
    }

    /// What names one of them, waits or was never done.
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

    /// The passes they gave are not there any more: nothing waits for those, nor stands here with its guest's name.
    func erasePasses(in db: Database) throws {
        let outbox = Outbox(sealing: sealing)
        for entry in try outbox.all(in: db) {
            guard case .withdrawal(let withdrawal) = entry.operation, try outbox.documents.find(.guest, withdrawal.guestID, in: db) == nil
            else { continue }
            try outbox.remove(entry.id, in: db)
        }
    }

    /// Those of whom the house has not heard yet that nothing is left.
    func unconfirmed(in db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "SELECT mark, sealed FROM erased WHERE sealed IS NOT NULL ORDER BY mark").map { row in
            String(decoding: try sealing.open(row[1], for: sealingContext(of: row[0])), as: UTF8.self)
        }
    }

    func markConfirmed(_ people: [String], in db: Database) throws {
        for id in people { try db.execute(sql: "UPDATE erased SET sealed = NULL WHERE mark = ?", arguments: [key(id)]) }
    }

    /// Whoever kept this was erased: all of it goes.
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
    /// Tells the house of whom nothing is left here, once nothing is: it repeats until the house has heard.
    func confirmErasures() async throws {
        let erased = ReplicaErasure(sealing: store.sealing)
        let people = try await store.read { try erased.unconfirmed(in: $0) }
        guard !people.isEmpty else { return }
        try await store.write { try erased.erasePasses(in: $0) }
        client.releaseMemory()
        // Another time, then.
        guard try await store.truncateWriteAheadLog() else { return }
        for start in stride(from: 0, to: people.count, by: ReplicaBody.maxConfirmations) {
            let some = Array(people[start..<min(start + ReplicaBody.maxConfirmations, people.count)])
            _ = try await client.privacy.reportReplica(without: some)
            try await store.write { try erased.markConfirmed(some, in: $0) }
        }
    }

    /// Whoever kept this was erased in the house: nothing of it stays, and nobody is signed in here any more.
    ///
    /// In this order: where it is broken off, the house says so again, and it is done from its beginning.
    func eraseEverything() async throws {
        try await store.write { try ReplicaErasure.eraseEverything(in: $0) }
        answers.clearMemory()
        client.releaseMemory()
        guard try await store.truncateWriteAheadLog() else { return }
        try await client.sessions.clearLocal()
    }
}

extension ClientError {
    /// Whether the house keeps no count of copies, or not of this one.
    var rejectsReplicas: Bool { if case .api(let error) = self { [403, 404, 405].contains(error.status) } else { false } }

    /// Whether the house says that whoever asks was erased. Nothing that a `Replica` kept is there any more then.
    public var isPersonErased: Bool {
        if case .api(let error) = self { error.status == 401 && error.code == "person_erased" } else { false }
    }
}
