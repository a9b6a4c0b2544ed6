import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub
@testable import CardeaStore

@Suite("Upgrade of a plaintext audit log", .timeLimit(.minutes(10)))
struct AuditUpgradeTests {
    private static let count = 1203

    /// A folder with a house after migrations 1 to 3, and a long audit log; deleted after the test.
    private func oldHouse(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try DatabasePool(path: folder.appending(path: "house.sqlite").path)
        try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number <= 3 })
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO people (id, name, role, created_at) VALUES ('person_1', 'Olga', 'owner', 0);
                    INSERT INTO sessions (id, person_id, created_at, expires_at, last_used_at) VALUES ('session_1', 'person_1', 0, 9e15, 9e15);
                    """)
            for number in 0..<Self.count {
                try db.execute(
                    sql: """
                        INSERT INTO audit (at, journal_seq, who_kind, who_id, action, device_id, entity_id, grant_id, result, reason,
                            command_id, remote, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        1_000 + number, number, ["person", "guest", "stranger", "system"][number % 4],
                        ["person_1", "guest_1", nil, nil][number % 4], "planted-action-\(number)", "front-door", "lock.front_door",
                        ["role:person_1", "guest_1", nil, "guest_1"][number % 4], "done", "planted_reason", nil, "203.0.113.77",
                        "planted-request-\(number)",
                    ])
            }
        }
        try database.close()
        try await body(folder)
    }

    private func expectWhole(_ house: TestHouse) async throws {
        let notes = try await house.auditNotes().prefix(Self.count)
        #expect(notes.map(\.action) == (0..<Self.count).map { "planted-action-\($0)" })
        #expect(notes.map(\.at) == (0..<Self.count).map { Date(milliseconds: Int64(1_000 + $0)) })
        #expect(notes.map(\.requestID) == (0..<Self.count).map { "planted-request-\($0)" })
        #expect(notes.map(\.journalSeq) == (0..<Self.count).map(Int64.init))
        #expect(Set(notes.map(\.kind)) == ["person", "guest", "stranger", "system"])
        #expect(Set(notes.map(\.grantID)) == ["role:person_1", "guest_1", nil])
        #expect(try await house.auditBreak() == nil)
        #expect(try await house.store.read { try !$0.tableExists("audit_plain") })
    }

    @Test("The upgrade keeps, seals and chains all entries and leaves no plaintext in the files")
    func upgrade() async throws {
        try await oldHouse { folder in
            let (log, sealing) = (LogRecorder(), SealingKey.random())
            let house = try await TestHouse.make(store: Store(folder: folder), sealing: sealing, logger: log.logger)

            try await expectWhole(house)
            #expect(log.entries == ["audit log encrypted entries=\(Self.count)", "personal data encrypted values=1"])
            let entries = try await house.hub.activity.entries(.init(limit: 500), seenBy: .person(id: "person_1", sessionID: "session_1"))
            #expect(entries.count == 500 && entries.contains { $0.whoName == "Olga" && $0.action == "planted-action-1200" })
            #expect(entries.contains { $0.action == "planted-action-1200" && $0.reason == "unlisted" })
            for file in ["house.sqlite", "house.sqlite-wal"] {
                let bytes = try Data(contentsOf: folder.appending(path: file))
                for word in ["planted-action", "planted-request", "planted_reason", "203.0.113.77", "Olga"] {
                    #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is still in \(file)")
                }
            }
            try house.store.close()

            // The second time there is nothing to do.
            let again = try await TestHouse.make(store: Store(folder: folder), sealing: sealing, logger: log.logger)
            try await expectWhole(again)
            #expect(log.entries.count == 2)
            try again.store.close()
        }
    }

    @Test("An upgrade interrupted by a crash resumes without losing or duplicating entries")
    func crash() async throws {
        try await oldHouse { folder in
            let sealing = SealingKey.random()
            for round in 1...2 {
                struct Crash: Error {}
                let store = try Store(folder: folder)
                _ = try await AuditLogWriter(store: store, sealing: sealing, at: .now)
                #expect(try await store.write { try AuditUpgrade.move($0) } == AuditUpgrade.batchSize)
                // In the middle of the next few hundred.
                await #expect(throws: Crash.self) {
                    try await store.write { db in
                        _ = try AuditUpgrade.move(db)
                        throw Crash()
                    }
                }
                let left = try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM audit_plain") }
                #expect(left == Self.count - round * AuditUpgrade.batchSize)
                try store.close()
            }
            let house = try await TestHouse.make(store: Store(folder: folder), sealing: sealing)
            try await expectWhole(house)
            try house.store.close()
        }
    }
}
