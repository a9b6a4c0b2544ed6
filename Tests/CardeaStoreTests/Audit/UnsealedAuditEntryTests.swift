import CardeaStore
import Foundation
import GRDB
import Synchronization
import Testing

@Suite("Audit entries of a transaction")
struct UnsealedAuditEntryTests {
    private struct RollbackError: Error {}

    private func note(_ action: String) -> UnsealedAuditEntry {
        UnsealedAuditEntry(at: Date(timeIntervalSince1970: 0), kind: "system", id: nil, action: action, result: "done")
    }

    @Test("Entries are written at the end of the transaction in order, and a rollback writes none")
    func order() async throws {
        let store = try Store.inMemory()
        let written = Mutex<[[String]]>([])
        store.beforeCommit { notes, db in
            written.withLock { $0.append(notes.map(\.action)) }
            for note in notes { try db.execute(sql: "INSERT INTO rooms (id, name, position) VALUES (?, 'x', 0)", arguments: [note.action]) }
        }

        let stood = await withTaskGroup(of: String?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        try await store.write { db in
                            try db.enqueue(note("\(number) first"))
                            if number.isMultiple(of: 3) { throw RollbackError() }
                            try db.enqueue(note("\(number) second"))
                        }
                        return "\(number)"
                    } catch { return nil }
                }
            }
            return await group.reduce(into: Set<String>()) { stood, number in if let number { stood.insert(number) } }
        }

        let rooms = try await store.read { try String.fetchAll($0, sql: "SELECT id FROM rooms") }
        #expect(stood.count == 133 && Set(rooms) == Set(stood.flatMap { ["\($0) first", "\($0) second"] }))
        let all = written.withLock { $0.flatMap(\.self) }
        for number in stood {
            #expect(all.firstIndex(of: "\(number) second") == all.firstIndex(of: "\(number) first").map { $0 + 1 })
        }
    }

    @Test("A failed audit write rolls back the transaction")
    func failing() async throws {
        let store = try Store.inMemory()
        store.beforeCommit { notes, _ in if !notes.isEmpty { throw RollbackError() } }

        await #expect(throws: RollbackError.self) {
            try await store.write { db in
                try db.execute(sql: "INSERT INTO rooms (id, name, position) VALUES ('hall', 'Hall', 0)")
                try db.enqueue(note("room.add"))
            }
        }
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rooms") } == 0)
        try await store.write { try $0.execute(sql: "INSERT INTO rooms (id, name, position) VALUES ('hall', 'Hall', 0)") }
    }

    @Test("An entry without an audit sink is refused")
    func nobody() async throws {
        let store = try Store.inMemory()
        await #expect(throws: MissingAuditSinkError.self) { try await store.write { try $0.enqueue(note("login")) } }
        store.beforeCommit { _, _ in }
        try await store.write { try $0.enqueue(note("login")) }
        await #expect(throws: MissingAuditSinkError.self) { try await store.read { try $0.enqueue(note("login")) } }
    }

    /// It was once stored as a bare function in a lock, where each read wrapped it once more: after thirty thousand commits a command took
    /// twice as long, and the hub had grown by 70 MB.
    @Test("Writing an audit entry needs no deeper call stack after two hundred commits than after the first")
    func directly() async throws {
        let store = try Store.inMemory()
        let depths = Mutex<[Int]>([])
        store.beforeCommit { _, _ in
            let depth = Thread.callStackReturnAddresses.count
            depths.withLock { $0.append(depth) }
        }
        for number in 0..<200 { try await store.write { try $0.enqueue(note("\(number)")) } }

        let (first, last) = depths.withLock { ($0[0], $0[199]) }
        #expect(first > 0 && last <= first)
    }

    @Test("A checkpoint of the write-ahead log runs on request")
    func checkpoint() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(folder: folder)
        try await store.write { try $0.execute(sql: "INSERT INTO rooms (id, name, position) VALUES ('hall', 'Hall', 0)") }
        try await store.checkpoint()
        let log = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "house.sqlite-wal").path)
        #expect(log[.size] as? Int == 0)
        try store.close()
    }
}
