import CardeaModel
@testable import CardeaStore
import Foundation
import GRDB
import Testing

@Suite("Store")
struct StoreTests {
    /// A folder that is deleted after the test.
    private func inFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private func write(_ store: Store, _ name: String) async throws {
        try await store.write { db in
            try db.execute(sql: "INSERT INTO rooms (id, name, position) VALUES (?, ?, 0)", arguments: [name, name])
        }
    }

    private func rooms(_ store: Store) async throws -> [String] {
        try await store.read { try String.fetchAll($0, sql: "SELECT id FROM rooms ORDER BY id") }
    }

    @Test("A committed write is present after reopening")
    func durable() async throws {
        try await inFolder { folder in
            let store = try Store(folder: folder)
            try await write(store, "hall")
            try store.close()

            let again = try Store(folder: folder)
            #expect(try await rooms(again) == ["hall"])
            #expect(try await again.integrityProblems().isEmpty)
            try again.close()
        }
    }

    @Test("SQLite runs with synchronous commits and foreign keys")
    func pragmas() async throws {
        try await inFolder { folder in
            let store = try Store(folder: folder)
            let found = try await store.write { db in
                try ["synchronous", "journal_mode", "foreign_keys", "secure_delete", "trusted_schema"].map {
                    try String.fetchOne(db, sql: "PRAGMA \($0)") ?? ""
                }
            }
            #expect(found == ["2", "wal", "1", "1", "0"])
            try store.close()
        }
    }

    @Test("Concurrent writes share a commit and keep their own results and errors")
    func groupCommit() async throws {
        let store = try Store.inMemory()
        struct Refused: Error {}

        let results = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    do {
                        try await store.write { db in
                            try db.execute(sql: "INSERT INTO rooms (id, name, position) VALUES (?, 'x', 0)", arguments: ["r\(index)"])
                            if index.isMultiple(of: 3) { throw Refused() }
                        }
                        return true
                    } catch { return false }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }

        #expect(results == 133)
        #expect(try await rooms(store).count == 133)
    }

    @Test("A failed statement in a batch rolls back only its own write")
    func brokenStatement() async throws {
        let store = try Store.inMemory()
        async let good: Void = write(store, "hall")
        await #expect(throws: DatabaseError.self) {
            try await store.write { try $0.execute(sql: "INSERT INTO rooms (id, name, position) VALUES (NULL, '', 'x')") }
        }
        try await good
        #expect(try await rooms(store) == ["hall"])
    }

    @Test("A database of a newer hub is refused")
    func newerHub() async throws {
        try await inFolder { folder in
            let store = try Store(folder: folder)
            try await store.write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99')") }
            try store.close()
            #expect(throws: (any Error).self) { try Store(folder: folder) }
        }
    }

    @Test("A read-only open does not migrate an older database")
    func olderHub() async throws {
        try await inFolder { folder in
            let file = folder.appending(path: "house.sqlite")
            try Store(folder: folder).close()
            try Store.requireCurrent(in: folder)
            let store = try Store(folder: folder)
            try await store.write { try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '7'") }
            try store.close()
            let before = try Data(contentsOf: file)

            #expect(throws: SchemaTooOldError.self) { try Store.requireCurrent(in: folder) }

            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test("A full disk never reports a write as successful")
    func fullDisk() async throws {
        try await inFolder { folder in
            let store = try Store(folder: folder)
            // The page limit makes SQLite itself report a full disk.
            try await store.write { try $0.execute(sql: "PRAGMA max_page_count = 80") }
            let text = String(repeating: "x", count: 2000)

            let told = await withTaskGroup(of: String?.self) { group in
                for index in 0..<400 {
                    group.addTask {
                        do {
                            try await store.write { db in
                                try db.execute(
                                    sql: "INSERT INTO rooms (id, name, position) VALUES (?, ?, 0)", arguments: ["r\(index)", text])
                            }
                            return "r\(index)"
                        } catch { return nil }
                    }
                }
                return await group.reduce(into: Set<String>()) { told, name in if let name { told.insert(name) } }
            }

            #expect(told.count < 400)
            #expect(Set(try await rooms(store)) == told)
            #expect(try await store.integrityProblems().isEmpty)
            try store.close()
        }
    }

    @Test("Under constant writes an oversized write-ahead log is checkpointed and then reused")
    func longLog() async throws {
        try await inFolder { folder in
            let store = try Store(folder: folder)
            for batch in 0..<100 { try await furnish(store, batch) }
            #expect((1...18_000).contains(try pagesOfLog(in: folder)))
            #expect(try await rooms(store).count == 20_000)
            #expect(try await store.integrityProblems().isEmpty)
            try store.close()
        }
    }

    // A lock's immediate answer was once processed three milliseconds late, because its house was checkpointing just then.
    @Test("The write-ahead log is checkpointed after a pause in writes and not during them", .timeLimit(.minutes(10)))
    func quietMoment() async throws {
        try await inFolder { folder in
            let store = try Store(folder: folder)
            // Its house was served before, and is again.
            let earlier = Task { await store.checkpointWhenIdle() }
            earlier.cancel()
            await earlier.value
            let keeping = Task { await store.checkpointWhenIdle() }
            func size() throws -> Int { try folder.appending(path: "house.sqlite").resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
            let before = try size()
            let deadline = ContinuousClock.now + .seconds(120)
            var batch = 0
            while batch < 30 {
                try await furnish(store, batch)
                batch += 1
            }
            // SQLite writes to the file only when it checkpoints. After a full checkpoint the log restarts: the next write does not
            // lengthen it.
            while true {
                let long = try pagesOfLog(in: folder)
                try await furnish(store, batch)
                batch += 1
                if try size() != before, try pagesOfLog(in: folder) == long { break }
                try #require(ContinuousClock.now < deadline, "the log was never moved")
                try await store.waitUntilIdle(for: .milliseconds(100))
            }
            #expect(try await rooms(store).count == batch * 200)
            keeping.cancel()
            await keeping.value
            try store.close()
        }
    }

    /// Two hundred rooms of a page each.
    private func furnish(_ store: Store, _ batch: Int) async throws {
        let text = String(repeating: "x", count: 4000)
        try await store.write { db in
            for index in 0..<200 {
                try db.execute(sql: "INSERT INTO rooms (id, name, position) VALUES (?, ?, 0)", arguments: ["\(batch)-\(index)", text])
            }
        }
    }

    private func pagesOfLog(in folder: URL) throws -> Int {
        try (folder.appending(path: "house.sqlite-wal").resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) / 4120
    }

    @Test("Writes run on a dedicated thread if there is one, and other work does not")
    func ownThread() async throws {
        let store = try Store.inMemory()
        let here = pthread_self()
        let before = store.commitCount
        let there = try await store.write { _ in pthread_self() }
        #expect(here != there && store.commitCount == before + 1)

        // The first store's thread may still be about to see that no caller waits.
        let quiet = try Store.inMemory()
        let commits = quiet.commitCount
        try await Store.writingOnCurrentThread {
            let here = pthread_self()
            let there = try await quiet.write { _ in pthread_self() }
            #expect(here == there)
        }
        #expect(quiet.commitCount == commits + 1)
    }

    @Test("Journal numbers increase and are never reused")
    func journal() async throws {
        let store = try Store.inMemory()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let first = try await store.write { try Journal.append(.houseChanged, at: now, in: $0) }
        // Deleting the last row would free its number.
        await #expect(throws: DatabaseError.self) { try await store.write { try $0.execute(sql: "DELETE FROM journal") } }
        let second = try await store.write { try Journal.append(.houseChanged, data: ["a": 1], at: now, in: $0) }
        #expect(second == first + 1)
        try await store.write { try $0.execute(sql: "DELETE FROM journal WHERE seq = ?", arguments: [first]) }
        try await store.write { try Journal.skip(by: 1000, at: now, in: $0) }
        let third = try await store.write { try Journal.append(.houseChanged, at: now, in: $0) }
        #expect(third == second + 1001)
        await #expect(throws: DatabaseError.self) { try await store.write { try $0.execute(sql: "UPDATE journal SET kind = 'x'") } }
    }

    @Test("A date reads back equal")
    func moments() {
        let date = Date(milliseconds: 1_795_269_600_123)
        #expect(date.milliseconds == 1_795_269_600_123)
        #expect(Date(timeIntervalSince1970: .nan).milliseconds < 0)
        #expect(Date.distantFuture.milliseconds > 0)
    }

    @Test("A failure to open is reported with the remedy")
    func words() async throws {
        try await inFolder { folder in
            try Data(repeating: 7, count: 8192).write(to: folder.appending(path: "house.sqlite"))

            let problem = #expect(throws: DatabaseError.self) { try Store(folder: folder) }

            let words = Store.message(for: try #require(problem))
            #expect(words.contains("damaged") && words.contains("cardea-hub restore"))
        }
        for (code, hint) in [
            (ResultCode.SQLITE_CANTOPEN, "who owns them"), (.SQLITE_FULL, "Free space"), (.SQLITE_IOERR, "Check the disk"),
            (.SQLITE_IOERR_SHMSIZE, "Free space"), (.SQLITE_READONLY, "read-only"), (.SQLITE_READONLY_DBMOVED, "read-only"),
            (.SQLITE_IOERR_FSYNC, "Check the disk"), (.SQLITE_BUSY, "Another program"), (.SQLITE_SCHEMA, "cardea-hub restore"),
            (.SQLITE_ERROR, "report it"), (.SQLITE_CONSTRAINT_UNIQUE, "report it"),
        ] {
            let words = Store.message(for: DatabaseError(resultCode: code, message: "said", sql: "SELECT told"))
            #expect(words.contains(hint) && !words.contains("said") && !words.contains("SELECT"), "\(words)")
        }
        #expect(
            Store.message(for: SharedTransactionAbortedError()).contains("Free space") && Store.databaseMessage(CancellationError()) == nil)
    }
}
