import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Personal data export in random houses", .timeLimit(.minutes(30)))
struct PersonExportPropertyTests {
    /// `make chaos` has a thousand.
    private static let houseCount = TestRepetitions.of(8, full: 60, variable: "CARDEA_EXPORTED_HOUSES")
    private static let seed = TestSeed.value(20_261_124)
    /// Houses run in parallel, in this many batches. A small number runs as one: each batch must have covered everything.
    private static let batchCount = houseCount < 32 ? 1 : 4

    /// Tables whose rows belong to a person. A word index contains nothing that its table does not.
    private static let personalTables = DataInventory.policies.filter {
        $0.condition != nil && $0.ownership != .row(of: "memories", by: "rowid")
    }

    /// The tables and actions that a batch covered, so that an omission is noticed.
    private struct Coverage {
        var rows: [String: Int] = [:]
        var deeds: Set<RandomResident.ResidentAction> = []
    }

    @Test("Each export has all of the person's data, no other person's, and no secrets", arguments: 0..<batchCount)
    func all(street: Int) async throws {
        var tally = Coverage()
        for number in stride(from: street, to: Self.houseCount, by: Self.batchCount) {
            try await withFolder { folder in try await checkExport(into: number, exports: folder, &tally) }
        }
        #expect(tally.deeds == Set(RandomResident.ResidentAction.allCases), "seed \(Self.seed)")
        for holding in Self.personalTables {
            #expect((tally.rows[holding.table] ?? 0) > 0, "nobody had a row of \(holding.table), seed \(Self.seed)")
        }
    }

    private func checkExport(into number: Int, exports folder: URL, _ tally: inout Coverage) async throws {
        var dice = XorshiftGenerator(seed: Self.seed &+ UInt64(number))
        let house = try await TestHouse.make(store: .inMemory(), exports: folder)
        let residents = try await populate(house, &dice)
        for resident in residents {
            tally.deeds.formUnion(resident.performedActions)
            let place: Comment = "house \(number) of seed \(Self.seed)"
            let job = try await house.hub.jobs.export(resident.id, by: resident.who, origin: resident.origin)
            try await house.hub.jobs.runAll()
            var bytes = Data()
            for try await piece in try await house.hub.jobs.archive(job.id, by: resident.who, origin: .house) { bytes += piece }
            let files = try unpackArchive(bytes)
            let text = files.values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")

            for (what, word) in resident.own { #expect(text.contains(word), "\(what) is missing in \(place)") }
            for other in residents {
                for (what, word) in other.secret { #expect(!text.contains(word), "\(what) is in \(place)") }
                for (what, word) in other.shared { #expect(text.contains(word), "\(what) is missing in \(place)") }
                guard other.id != resident.id else { continue }
                for (what, word) in other.own { #expect(!text.contains(word), "\(what) of another is in \(place)") }
            }
            for (table, rows) in try await counted(files, of: resident, in: house, place) { tally.rows[table, default: 0] += rows }
        }
    }

    /// Two to four people, each with random permitted actions.
    private func populate(_ house: TestHouse, _ dice: inout XorshiftGenerator) async throws -> [RandomResident] {
        var residents = [try await RandomResident.claim(house)]
        await house.mind.poll(isAsked: true)
        for _ in 0...dice.next(3) {
            let role = [Role.owner, .admin, .member][dice.next(3)]
            residents.append(try await .join(house, as: role, invitedBy: residents[0]))
        }
        for index in residents.indices {
            // Owners do everything now and then; the random generator chooses the order and the gaps.
            var deeds = RandomResident.ResidentAction.allCases.filter(residents[index].isAllowed)
            while !deeds.isEmpty {
                let deed = deeds.remove(at: dice.next(deeds.count))
                if dice.next(4) > 0 { try await residents[index].perform(deed, in: house) }
                house.clock.advance(by: TimeInterval(dice.next(5)))
            }
        }
        // Sometimes a person leaves for good, and every replica has to delete their data.
        if dice.next(3) == 0 {
            let gone = try await RandomResident.join(house, as: .member, invitedBy: residents[0])
            _ = try await house.hub.jobs.erase(gone.id, by: residents[0].who, origin: residents[0].origin)
            try await house.hub.jobs.runAll()
        }
        // A person comes to the door, and the house runs its automation.
        try await residents[0].perform(.tellsOfAnEvent, in: house)
        await house.runMind()
        try await house.hub.notificationDispatcher.planNotifications()
        await house.runMind()
        return residents
    }

    /// Compares the export with every row of the house that names a person, whatever the inventory says of it.
    ///
    /// - Returns: the number of exported rows of each table.
    private func counted(
        _ files: [String: Data], of resident: RandomResident, in house: TestHouse, _ place: Comment
    ) async throws -> [String: Int] {
        var (packed, ids): ([String: Int], [String: Set<String>]) = ([:], [:])
        for holding in Self.personalTables {
            let file = try #require(files["holdings/\(holding.table).json"], "\(holding.table) in \(place)")
            guard case .array(let rows) = try JSONDecoder().decode(JSONValue.self, from: file) else { continue }
            packed[holding.table] = rows.count
            ids[holding.table] = Set(rows.compactMap { $0["id"]?.string })
        }
        let (id, username, known) = (resident.id, resident.username, ids)
        let kept = try await house.store.read { db in
            var kept: [String: Int] = [:]
            // The audit log is sealed by its subjects' keys, and is read with them. What the mind has learned is one document of the
            // household; names in it are erased with their persons.
            let apart: Set = ["memory_words", "mind_sheets"]
            for holding in DataInventory.policies where holding.ownership != .sealed && !apart.contains(holding.table) {
                if case .row(let parent, let column) = holding.ownership {
                    let names = try String.fetchAll(db, sql: "SELECT \(column) FROM \(holding.table) WHERE \(column) IS NOT NULL")
                    kept[holding.table] = names.filter { known[parent]?.contains($0) == true }.count
                } else {
                    let columns = try db.columns(in: holding.table).map(\.name)
                    let texts = columns.map {
                        holding.sealedColumns.contains($0)
                            ? "opened(\"\($0)\", '\(holding.table).\($0)', \(holding.sealingIDColumn))" : "\"\($0)\""
                    }
                    // A wrong guess stores only the mark of the user name, alone or before that of an address.
                    let mark = "lower(hex(marked(:username, 'people.username')))"
                    let names = texts.map {
                        "instr(CAST(\($0) AS TEXT), :id) > 0 OR \($0) IN (:username, \(mark)) OR instr(CAST(\($0) AS TEXT), \(mark) || '@') = 1"
                    }
                    kept[holding.table] = try Int.fetchOne(
                        db, sql: "SELECT count(*) FROM \(holding.table) WHERE \(names.joined(separator: " OR "))",
                        arguments: ["id": id, "username": username])
                }
            }
            return kept
        }
        for (table, rows) in kept { #expect(packed[table] ?? 0 == rows, "rows of \(table) in \(place)") }
        return packed
    }
}
