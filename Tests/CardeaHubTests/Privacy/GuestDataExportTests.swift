import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Guest data export", .timeLimit(.minutes(5)))
struct GuestDataExportTests {
    /// The files of an export, by name.
    private static func packed(_ job: Job, by who: Principal, in house: TestHouse) async throws -> [String: Data] {
        try await house.hub.jobs.runAll()
        var bytes = Data()
        for try await piece in try await house.hub.jobs.archive(job.id, by: who, origin: .house) { bytes += piece }
        return try unpackArchive(bytes)
    }

    /// The number of rows of each table that name a guest in any column, whatever the inventory says of them.
    private static func rows(naming id: String, in house: TestHouse) async throws -> [String: Int] {
        try await house.store.read { db in
            // The audit log is sealed by the keys of its subjects; a requested export belongs to its requester.
            let apart: Set = ["memory_words", "mind_sheets", "jobs"]
            var rows: [String: Int] = [:]
            for holding in DataInventory.policies where holding.ownership != .sealed && !apart.contains(holding.table) {
                let names = try db.columns(in: holding.table).map(\.name).map { column in
                    let text =
                        holding.sealedColumns.contains(column)
                        ? "opened(\"\(column)\", '\(holding.table).\(column)', \(holding.sealingIDColumn))" : "\"\(column)\""
                    return "instr(CAST(\(text) AS TEXT), :id) > 0"
                }
                let count = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM \(holding.table) WHERE \(names.joined(separator: " OR "))", arguments: ["id": id])
                if let count, count > 0 { rows[holding.table] = count }
            }
            return rows
        }
    }

    @Test("A guest export holds every row naming the guest, and no data of other guests or the host")
    func everything() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder)
            let (owner, _) = try await house.claim()
            let names = ["Thistlewood", "Merryweather"]
            var ids: [String] = []
            for name in names { ids.append(try await GuestErasureTests.visit(name, by: owner, in: house)) }
            let elsewhere = RequestOrigin(remote: "192.168.1.99", isLocal: true, requestID: nil)
            for id in ids {
                _ = try await house.hub.guests.decide(.suspend, id, by: owner, origin: elsewhere)
                _ = try await house.hub.guests.decide(.resume, id, by: owner, origin: elsewhere)
            }

            for (place, id) in ids.enumerated() {
                let (name, other) = (names[place], 1 - place)
                let job = try await house.hub.jobs.export(guest: id, by: owner, origin: .house)
                let files = try await Self.packed(job, by: owner, in: house)

                var counts: [String: Int] = [:]
                for (file, bytes) in files where file.hasPrefix("holdings/") {
                    guard case .array(let rows) = try JSONDecoder().decode(JSONValue.self, from: bytes), !rows.isEmpty else { continue }
                    counts[String(file.dropFirst("holdings/".count).dropLast(".json".count))] = rows.count
                }
                let kept = try await Self.rows(naming: id, in: house)
                #expect(counts == kept)
                let tables: Set = [
                    "access_changes", "guests", "guest_items", "guest_codes", "guest_tokens", "commands", "journal", "happenings",
                    "throttles",
                    "kept_answers",
                ]
                #expect(Set(kept.keys) == tables)

                let text = files.values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
                for word in ["\(name) at the gate", "Spoken\(name)", "request-\(name)", "192.168.1.77"] {
                    #expect(text.contains(word), "\(word)")
                }
                for word in [names[other], ids[other], "192.168.1.99", "answer-\(name)", "key-\(name)", "\(name) came in"] {
                    #expect(!text.contains(word), "\(word)")
                }
                let head = try JSONDecoder().decode(JSONValue.self, from: try #require(files["export.json"]))
                #expect(head["schemaVersion"] == "1.0" && head["guest"]?["name"] == .string(name) && head["guest"]?["id"] == .string(id))
                let index = String(decoding: try #require(files["index.html"]), as: UTF8.self)
                #expect(index.contains("What the house keeps of \(name)") && index.contains("Your pass") && !index.contains("your account"))
                guard case .array(let lines) = try JSONDecoder().decode(JSONValue.self, from: try #require(files["audit.json"])) else {
                    throw CancellationError()
                }
                // They requested the door; their host invited them, suspended the pass, and exported all this.
                let deeds = Set(lines.compactMap { $0["action"]?.string })
                #expect(deeds.isSuperset(of: ["guest.invite", "pair", "guest.suspend", "guest.resume", "person.export"]))
                #expect(lines.contains { $0["who_id"] == .string(id) && $0["remote"] == "192.168.1.77" })
                #expect(files["manifest.json"] != nil && files["manifest.sig"] != nil)
            }
        }
    }

    @Test("A guest export requires the inviter or an owner and a step-up, twice a day per guest")
    func whose() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder)
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            let (ben, _) = try await house.resident("ben", role: "admin", by: owner)
            let (member, _) = try await house.resident("cleo", role: "member", by: owner)
            let jobs = house.hub.jobs
            let (one, two) = (try await house.guest(house.draft(), by: ada).id, try await house.guest(house.draft(), by: ada).id)

            for who in [ben, member] {
                await #expect(throws: People.PersonError.self) { try await jobs.export(guest: one, by: who, origin: .house) }
            }
            await #expect(throws: Guests.GuestError.self) { try await jobs.export(guest: "guest_nobody", by: owner, origin: .house) }
            let first = try await jobs.export(guest: one, by: ada, origin: .house)
            #expect(first.personID == one && first.askedBy == ada.personID)
            #expect(try await jobs.export(guest: one, by: ada, origin: .house).id == first.id, "one at a time")
            try await jobs.runAll()
            let second = try await jobs.export(guest: one, by: ada, origin: .house)
            try await jobs.runAll()
            await #expect(throws: Jobs.JobError.self) { try await jobs.export(guest: one, by: ada, origin: .house) }
            // Another guest's and one's own are counted separately; the same for an owner.
            _ = try await jobs.export(guest: two, by: ada, origin: .house)
            _ = try await jobs.export(try #require(ada.personID), by: ada, origin: .house)
            try await jobs.runAll()
            _ = try await jobs.export(guest: one, by: owner, origin: .house)
            try await jobs.runAll()
            await #expect(throws: People.PersonError.self) { try await jobs.archive(second.id, by: owner, origin: .house) }
            _ = try await jobs.archive(second.id, by: ada, origin: .house)
            let notes = try await house.auditNotes()
            #expect(notes.filter { $0.action == "person.export.fetch" }.map(\.grantID) == [one])
            #expect(notes.filter { $0.action == "person.export" && $0.result == "refused" }.map(\.grantID) == [one, one])

            house.clock.advance(by: 301)
            await #expect(throws: Sessions.SessionError.self) { try await jobs.archive(second.id, by: ada, origin: .house) }
            await #expect(throws: Sessions.SessionError.self) { try await jobs.export(guest: two, by: ada, origin: .house) }
        }
    }

    @Test("Guest or host erasure deletes finished exports and cancels waiting ones")
    func erased() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder)
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            let jobs = house.hub.jobs
            let (alone, along) = (try await house.guest(house.draft(), by: ada).id, try await house.guest(house.draft(), by: ada).id)
            var packed: [Job] = []
            for id in [alone, along] { packed.append(try await jobs.export(guest: id, by: owner, origin: .house)) }
            try await jobs.runAll()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)

            let erasure = try await jobs.erase(guest: alone, by: owner, origin: .house)
            let late = try await jobs.export(guest: alone, by: owner, origin: .house)
            try await house.hub.erasure.erase(erasure)
            try await jobs.runAll()
            #expect(try await jobs.one(late.id, seenBy: owner).state == .failed)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).map { $0.hasPrefix(packed[1].id) } == [true])

            _ = try await jobs.erase(try #require(ada.personID), by: owner, origin: .house)
            try await jobs.runAll()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            for job in packed {
                await #expect(throws: Guests.GuestError.self) { try await jobs.archive(job.id, by: owner, origin: .house) }
            }
        }
    }
}
