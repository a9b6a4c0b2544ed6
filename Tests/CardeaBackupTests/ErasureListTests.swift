import CardeaHub
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaBackup

@Suite("Erasures survive a restore", .timeLimit(.minutes(10)))
struct ErasureListTests {
    private let disk: HouseOnDisk

    init() throws { disk = try HouseOnDisk() }

    /// A house with a resident, backed up before the resident is erased. Its list is beside the backup if the house writes one.
    private func erased(withList: Bool = true) async throws -> (archive: URL, list: URL) {
        let disk = disk
        return try await disk.open { house in
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("zuleika", role: "member", by: owner)
            let archive = try await disk.backup(house)
            let keeper = try Self.keeper(house, in: disk.root)
            guard case .person(let id, _) = ada else { throw CancellationError() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                if withList { group.addTask { try await keeper.run() } }
                _ = try await house.hub.jobs.erase(id, by: owner, origin: .house)
                try await house.hub.jobs.runAll()
                if withList {
                    try await waitUntil { house.hub.backups.retainedCopies.isListed(until: house.clock.now) }
                    try await waitUntil { try await Self.people(in: keeper.listURL, of: house) == [id] }
                }
                #expect(house.hub.backups.retainedCopies.isListed(until: house.clock.now) == withList)
                #expect(!house.hub.backups.retainedCopies.isListed(until: house.clock.now.addingTimeInterval(1)))
                group.cancelAll()
            }
            return (archive, keeper.listURL)
        }
    }

    private static func keeper(_ house: TestHouse, in drawer: URL) throws -> ErasureListWriter {
        try ErasureListWriter(
            in: drawer, of: house.store, backups: house.hub.backups, environment: house.clock.environment, logger: .silent)
    }

    private static func people(in list: URL, of house: TestHouse) async throws -> [String] {
        try ErasureList.read(list, key: house.hub.backups.erasureKey())?.people.keys.sorted() ?? []
    }

    /// The user names in the restored house after its pending jobs have run.
    private func residents() async throws -> [String] {
        try await disk.open { house in
            try await house.hub.jobs.runAll()
            return try await house.store.read {
                try String.fetchAll($0, sql: "SELECT opened(username, 'people.username', id) FROM people ORDER BY 1")
            }
        }
    }

    @Test("Without a house the erasure list beside the backup is applied")
    func newMachine() async throws {
        let (archive, list) = try await erased()
        try FileManager.default.removeItem(at: disk.folder)
        #expect(FileManager.default.contents(atPath: list.path)?.range(of: Data("person_".utf8)) == nil, "it tells nothing to a finder")

        let outcome = try await disk.restore(archive)

        #expect(outcome.erasures == .init(house: .none, list: list, writtenAt: disk.clock.now) && outcome.report.erased == 1)
        #expect(try await residents() == ["owner"])
    }

    // A power cut between writing the list and moving it into place once left a partial file in the folder forever.
    @Test("A list's partial file is removed by the next write, and other files are kept")
    func leftovers() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let keeper = try Self.keeper(house, in: disk.root)
        let half = URL(filePath: keeper.listURL.path + "." + UUID().uuidString)
        let others = [disk.root.appending(path: "cardea-other.erasures"), disk.root.appending(path: "notes")]
        for file in others + [half] { try Data("x".utf8).write(to: file) }

        try await keeper.write()

        #expect(!FileManager.default.fileExists(atPath: half.path))
        #expect((others + [keeper.listURL]).allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    }

    @Test("A list at another place is applied by its path; without one the restore reports unknown erasures")
    func elsewhere() async throws {
        let (archive, list) = try await erased()
        let other = disk.root.appending(path: "elsewhere")
        try FileManager.default.moveItem(at: list, to: other)
        try FileManager.default.removeItem(at: disk.folder)

        await #expect(throws: RestoreRunner.RestoreError.self) { try await disk.restore(archive, erasures: list) }
        #expect(!FileManager.default.fileExists(atPath: disk.folder.path))
        let ignorant = try await disk.restore(archive)
        #expect(ignorant.erasures == .init(house: .none, list: nil, writtenAt: nil) && ignorant.report.erased == 0)
        #expect(try await residents() == ["owner", "zuleika"])
        let outcome = try await disk.restore(archive, erasures: other)
        #expect(outcome.erasures.list == other && outcome.erasures.house == .read && outcome.report.erased == 1)
        #expect(try await residents() == ["owner"])
    }

    @Test("A forged, altered or truncated list stops the restore until it is reviewed")
    func forged() async throws {
        let (archive, list) = try await erased()
        try FileManager.default.removeItem(at: disk.folder)
        let whole = try Data(contentsOf: list)
        let strangers = try BackupRegistry.erasureKey(of: .random())
        try ErasureList(people: ["person_owner": 1], at: 1).write(to: list, key: strangers)
        var dice = XorshiftGenerator.forTest(58)
        var bad = [try Data(contentsOf: list), Data(), whole.dropLast(), whole + [0]]
        for _ in 0..<20 {
            var changed = whole
            changed[dice.next(changed.count)] ^= UInt8(1 << dice.next(8))
            bad.append(changed)
        }
        for data in bad {
            try Data(data).write(to: list)
            await #expect(throws: ErasureList.ErasureListError.doesNotOpen(list.path), "seed \(dice.seed)") {
                try await disk.restore(archive)
            }
            #expect(try disk.beside() == [list.lastPathComponent, "one.backup"].sorted())
        }
        try whole.write(to: list)
        #expect(try await disk.restore(archive).report.erased == 1)
    }

    @Test("A list opens after a key rotation, for backups before and after it")
    func rotated() throws {
        let before = SealingKey.random()
        let (one, other) = (try BackupRegistry.erasureKey(of: before), try BackupRegistry.erasureKey(of: before.rotated()))
        let list = disk.root.appending(path: ErasureList.name(by: one))
        try ErasureList(people: ["person_a": 7], at: 8).write(to: list, key: one)

        #expect(ErasureList.name(by: other) == list.lastPathComponent)
        #expect(try ErasureList.read(list, key: other) == ErasureList(people: ["person_a": 7], at: 8))
        #expect(ErasureList.name(by: try BackupRegistry.erasureKey(of: .random())) != list.lastPathComponent)
    }

    @Test("A house restored without the list extends it and removes no entry")
    func added() async throws {
        let (archive, list) = try await erased()
        let away = disk.root.appending(path: "away")
        try FileManager.default.moveItem(at: list, to: away)
        try FileManager.default.removeItem(at: disk.folder)
        try await disk.restore(archive)
        try FileManager.default.moveItem(at: away, to: list)

        let disk = disk
        let (known, listed) = try await disk.open { house in
            let known = try await house.hub.backups.erased()
            try await Self.keeper(house, in: disk.root).write()
            return (known, try await Self.people(in: list, of: house))
        }
        #expect(known.isEmpty && listed.count == 1)
    }

    @Test("Another or unreadable house in the folder gives no erasures, and the restore reports this")
    func others() async throws {
        let (archive, _) = try await erased(withList: false)
        let mine = try disk.contents()
        for name in mine.keys { try? FileManager.default.removeItem(at: disk.folder.appending(path: name)) }
        try Data("no database".utf8).write(to: disk.folder.appending(path: "house.sqlite"))
        #expect(try await disk.restore(archive).erasures.house == .unreadable)
        try FileManager.default.removeItem(at: disk.folder)
        try FileManager.default.createDirectory(at: disk.folder, withIntermediateDirectories: true)
        try await disk.open { house in _ = try await house.claim() }
        #expect(try await disk.restore(archive).erasures.house == .another)
    }

    @Test("A second concurrent restore in one place is refused")
    func two() async throws {
        let (archive, _) = try await erased()
        let place = open(disk.root.path, O_RDONLY | O_DIRECTORY)
        defer { close(place) }
        #expect(flock(place, LOCK_EX | LOCK_NB) == 0)

        await #expect(throws: RestoreRunner.RestoreError.self) { try await disk.restore(archive) }
        flock(place, LOCK_UN)
        try await disk.restore(archive)
    }

    @Test("The house before a restore is deleted after thirty days, and erasures report it until then")
    func former() async throws {
        let disk = disk
        let (archive, _) = try await erased()
        let put = disk.clock.now
        let before = try #require(try await disk.restore(archive).before)
        // A folder with such a name that is not a house is foreign.
        let stray = disk.root.appending(path: "house.before-20200101T000000Z")
        try FileManager.default.createDirectory(at: stray, withIntermediateDirectories: false)
        // No other house is waiting here.
        let store = try Store(folder: disk.folder)
        let house = try await TestHouse.make(
            store: store, sealing: try KeyFile.openOrCreate(at: disk.folder.appending(path: "hub.key")), clock: disk.clock)
        let backups = house.hub.backups
        let former = ReplacedHouseCleanup(of: disk.folder, backups: backups, environment: disk.clock.environment, logger: .silent)
        let named = [BackupRegistry.ReplacedHouse(name: before.lastPathComponent, until: put.addingTimeInterval(30 * 86_400))]
        #expect(!backups.retainedCopies.isAutomatic && backups.retainedCopies.replacedHouses == named)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await former.run() }
            func looked() async throws {
                try await waitUntil { disk.clock.isAwaited(disk.clock.now.addingTimeInterval(ReplacedHouseCleanup.interval)) }
            }
            try await looked()
            #expect(FileManager.default.fileExists(atPath: before.path))
            // After a clock jump nothing is deleted until the clock is trusted.
            disk.clock.advance(by: 31 * 86_400)
            try await looked()
            #expect(FileManager.default.fileExists(atPath: before.path))
            try await house.hub.clock.trust(at: disk.clock.now)
            disk.clock.advance(by: ReplacedHouseCleanup.interval)
            try await looked()
            group.cancelAll()
        }
        #expect(!FileManager.default.fileExists(atPath: before.path) && backups.retainedCopies.replacedHouses.isEmpty)
        #expect(FileManager.default.fileExists(atPath: stray.path) && FileManager.default.fileExists(atPath: disk.folder.path))
        try store.close()
    }
}
