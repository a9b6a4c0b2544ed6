import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaBackup

@Suite("Restore of a house", .timeLimit(.minutes(10)))
struct RestoreRunnerTests {
    private let disk: HouseOnDisk

    init() throws { disk = try HouseOnDisk() }

    /// All ways of access, each revoked after the backup.
    private struct AccessPaths: Sendable {
        var sessions: [SessionTokens] = []
        var programs: [(id: String, secret: Secret)] = []
        var passes: [(id: String, token: Secret)] = []
        var links: [(id: String, code: Secret)] = []
        var phones: [SessionTokens] = []
        var codes: [Secret] = []
        var invitations: [(id: String, secret: Secret)] = []

        var count: Int {
            sessions.count + programs.count + passes.count + links.count + phones.count + codes.count + invitations.count
        }
    }

    private func ways(_ house: TestHouse, _ owner: Principal) async throws -> AccessPaths {
        var ways = AccessPaths()
        let hub = house.hub
        for _ in 0..<8 {
            ways.sessions.append(try await hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house))
        }
        _ = try await hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
        for number in 0..<8 {
            let made = try await hub.apiTokens.make(
                .init(name: "Program \(number)", items: nil, role: nil, expiresAt: nil), by: owner, origin: .house)
            ways.programs.append((made.token.id, made.secret))
        }
        for _ in 0..<8 {
            let (_, id, token) = try await house.guest(house.draft(), by: owner)
            ways.passes.append((id, token))
        }
        for _ in 0..<8 {
            let codes = try await hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house).codes
            ways.links.append((codes.guestID, codes.linkCode))
        }
        for _ in 0..<4 { ways.phones.append(try await house.paired(house.phone(), by: owner).tokens) }
        ways.codes = try await hub.recoveryCodes.make(by: owner, origin: .house)
        for number in 0..<4 {
            let (invitation, _) = try await hub.people.invite(
                name: "Visitor \(number)", role: "member", by: owner, call: nil, origin: .house)
            ways.invitations.append((invitation.personID, invitation.secret))
        }
        return ways
    }

    private func revoke(_ ways: AccessPaths, _ house: TestHouse, _ owner: Principal) async throws {
        let hub = house.hub
        for tokens in ways.sessions { try await hub.sessions.logout(refresh: tokens.refresh, origin: .house) }
        for program in ways.programs { try await hub.apiTokens.revoke(program.id, by: owner, origin: .house) }
        for id in ways.passes.map(\.id) + ways.links.map(\.id) { _ = try await hub.guests.decide(.revoke, id, by: owner, origin: .house) }
        for phone in try await hub.phones.all(of: owner) { _ = try await hub.phones.revoke(.one(phone.id), by: owner, origin: .house) }
        _ = try await hub.recoveryCodes.make(by: owner, origin: .house)
        for invitation in ways.invitations { try await hub.people.remove(invitation.id, by: owner, origin: .house) }
    }

    /// The number of them that still give access.
    private func working(_ ways: AccessPaths, _ house: TestHouse) async -> Int {
        let hub = house.hub
        var count = 0
        func tried(_ body: () async throws -> Void) async {
            if (try? await body()) != nil { count += 1 }
        }
        for tokens in ways.sessions + ways.phones {
            await tried { _ = try await hub.sessions.authenticate(tokens.access) }
        }
        for tokens in ways.sessions { await tried { _ = try await hub.sessions.refresh(tokens.refresh, origin: .house) } }
        for tokens in ways.phones {
            await tried { _ = try await hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: nil), origin: .house) }
        }
        for program in ways.programs { await tried { _ = try await hub.sessions.authenticate(program.secret) } }
        for pass in ways.passes {
            await tried {
                let who = try await hub.guestAccess.authenticate(pass.token, origin: .house)
                _ = try await hub.guestAccess.validPass(of: who, origin: .house)
            }
        }
        for link in ways.links { await tried { _ = try await hub.guestAccess.pair(link.code.reveal(), origin: .house) } }
        for code in ways.codes { await tried { _ = try await hub.recoveryCodes.login(code.reveal(), origin: .house) } }
        for invitation in ways.invitations {
            await tried {
                _ = try await hub.people.accept(
                    invitation.secret, username: "v\(invitation.id.suffix(6))", password: TestHouse.password, origin: .house)
            }
        }
        return count
    }

    @Test("None of fifty credentials revoked after the backup works in the restored house")
    func revocations() async throws {
        let disk = disk
        let (archive, ways) = try await disk.open { house in
            let (owner, _) = try await house.claim()
            let ways = try await self.ways(house, owner)
            let archive = try await disk.backup(house)
            #expect(ways.count >= 50)
            try await self.revoke(ways, house, owner)
            return (archive, ways)
        }
        disk.clock.advance(by: 600)

        let outcome = try await disk.restore(archive)

        #expect(outcome.report.owner == "owner" && outcome.report.sessions >= 8 && outcome.report.programs == 8)
        #expect(outcome.report.passes == 16 && outcome.report.phones == 4 && outcome.report.recoveryCodes == 10)
        try await disk.open { house in
            #expect(await self.working(ways, house) == 0)
            // The owner signs in, and a resumed pass needs a new link: the earlier phone is refused.
            let tokens = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
            let owner = try await house.hub.sessions.authenticate(tokens.access)
            for pass in ways.passes { _ = try await house.hub.guests.decide(.resume, pass.id, by: owner, origin: .house) }
            #expect(await self.working(ways, house) == 0)
            let codes = try await house.hub.guests.newCode(for: ways.passes[0].id, by: owner, origin: .house)
            let (token, _) = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house)
            let who = try await house.hub.guestAccess.authenticate(token, origin: .house)
            _ = try await house.hub.guestAccess.validPass(of: who, origin: .house)
            let entries = try await house.hub.activity.entries(.init(limit: 500), seenBy: owner)
            #expect(entries.contains { $0.action == "house.restore" })
        }
    }

    @Test("Each of the credentials works before its revocation")
    func control() async throws {
        let disk = disk
        try await disk.open { house in
            let (owner, _) = try await house.claim()
            let ways = try await self.ways(house, owner)
            // An access token and a refresh token for each session and each phone.
            #expect(await self.working(ways, house) == ways.count + ways.sessions.count + ways.phones.count)
        }
    }

    @Test("People, journal and other data are unchanged, and the audit log verifies")
    func asItWas() async throws {
        let disk = disk
        let (archive, seq) = try await disk.open { house in
            let (owner, _) = try await house.claim()
            _ = try await house.resident("ada", role: "member", by: owner)
            _ = try await house.run(house.unlock(as: owner))
            let archive = try await disk.backup(house)
            _ = try await house.resident("ben", role: "member", by: owner)
            return (archive, try await house.store.read { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM audit") ?? 0 })
        }

        let outcome = try await disk.restore(archive)

        #expect(outcome.before != nil && outcome.report.people == 1)
        let store = try Store(folder: disk.folder)
        let key = try #require(try KeyFile.existing(at: disk.folder.appending(path: "hub.key")))
        #expect(try await AuditVerification.problem(in: store, sealing: key) == nil)
        #expect(try await store.integrityProblems().isEmpty)
        // The holder of the key reads the names.
        _ = try await HouseKeys(store: store, places: KeyLocations(folder: disk.folder, environment: [:])).open(changing: false)
        let names = try await store.read {
            try String.fetchAll($0, sql: "SELECT opened(username, 'people.username', id) FROM people ORDER BY created_at")
        }
        #expect(names == ["owner", "ada"])
        #expect(try await store.read { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM audit") ?? 0 } < seq)
        #expect(try await BackupRegistry.state(in: store).restoredAt == disk.clock.now)
        try store.close()
    }

    // Sessions once ended before the check whose they were, so that an erased person's phone was never notified. And the house served
    // people with a pending erasure until the job's turn.
    @Test("People and guests erased after the backup are erased again, and their phones are notified")
    func erased() async throws {
        let disk = disk
        let (archive, phone) = try await disk.open { house in
            let (owner, _) = try await house.claim()
            let (ada, tokens) = try await house.resident("zuleika", role: "member", by: owner)
            _ = try await house.hub.replicas.confirm(without: [], by: ada, origin: .house)
            let guest = try await house.guest(house.draft(), by: owner).id
            let archive = try await disk.backup(house)
            guard case .person(let adaID, _) = ada else { throw CancellationError() }
            _ = try await house.hub.jobs.erase(adaID, by: owner, origin: .house)
            _ = try await house.hub.jobs.erase(guest: guest, by: owner, origin: .house)
            try await house.hub.jobs.runAll()
            return (archive, tokens.refresh)
        }

        let outcome = try await disk.restore(archive)

        #expect(outcome.report.erased == 2)
        // The state before the first request: the jobs have not run yet.
        let store = try Store(folder: disk.folder)
        let key = try #require(try KeyFile.existing(at: disk.folder.appending(path: "hub.key")))
        _ = try await TestHouse.make(store: store, sealing: key, clock: disk.clock)
        let (people, guests, owed) = try await store.read { db in
            (
                try String.fetchAll(db, sql: "SELECT opened(username, 'people.username', id) FROM people"),
                try Int.fetchOne(db, sql: "SELECT count(*) FROM guests"),
                try Int.fetchOne(db, sql: "SELECT count(*) FROM jobs WHERE kind = 'erasure' AND state <> 'done'")
            )
        }
        #expect(people == ["owner"] && guests == 0 && owed == 2)
        try store.close()

        try await disk.open { house in
            try await house.hub.jobs.runAll()
            do {
                _ = try await house.hub.sessions.refresh(phone, origin: .house)
                Issue.record("it was renewed")
            } catch Sessions.SessionError.erased {}
            #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT sum(own) FROM erasures") } == 1)
            #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM guests") } == 0)
            let names = try await house.store.read {
                try String.fetchAll($0, sql: "SELECT opened(username, 'people.username', id) FROM people")
            }
            #expect(names == ["owner"])
            #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM erasures") } == 2)
        }
    }

    @Test("A tag opens nothing before a user with settings rights touches it, and recorded touches stay invalid")
    func tags() async throws {
        let disk = disk
        let uid = Data([0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40])
        let (archive, chip, recorded) = try await disk.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.hub.buttons.add(
                .init(title: "Door", action: .init(deviceID: "front-door", action: "unlock")), by: owner, call: nil, origin: .house
            ).0
            let added = try await house.hub.tags.add(
                .init(pressing: .button(button.id), label: nil, nature: .sun(uid: uid, meta: nil, file: nil, names: .standard)), by: owner,
                call: nil, origin: .house)
            var chip = SoftwareTag(uid: uid, meta: try #require(added.meta), file: try #require(added.file))
            _ = try await house.hub.tapHandler.handle(try chip.touch(), isConfirmed: true, by: owner, origin: .house)
            _ = try await house.hub.tags.updatePolicy(TagPolicy(control: .atOnce), seen: .any, by: owner, origin: .house)
            let archive = try await disk.backup(house)
            // Recorded touches that were used before.
            var recorded: [String] = []
            for _ in 0..<5 { recorded.append(try chip.touch()) }
            return (archive, chip, recorded)
        }
        try await disk.restore(archive)

        try await disk.open { house in
            var chip = chip
            let tokens = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
            let owner = try await house.hub.sessions.authenticate(tokens.access)
            _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
            let (member, _) = try await house.resident("ada", role: "member", by: owner)
            func tap(_ link: String, _ who: Principal) async throws -> TagRefusal? {
                house.clock.advance(by: 3)
                guard
                    case .refused(let refusal, _) = try await house.hub.tapHandler.handle(link, isConfirmed: true, by: who, origin: .house)
                        .outcome
                else { return nil }
                return refusal
            }

            #expect(try await tap(recorded[0], member) == .unsynced)
            #expect(try await tap(chip.touch(), member) == .unsynced)
            #expect(house.doorBackend.backendCommands.isEmpty)
            #expect(try await tap(chip.touch(), owner) == .synced)
            #expect(house.doorBackend.backendCommands.isEmpty)
            for link in recorded { #expect(try await tap(link, member) == .replayed) }
            #expect(try await tap(chip.touch(), member) == nil)
            // A copyable tag deleted since the backup is back: a touch alone does nothing, although the policy allowed that then.
            #expect(try await house.hub.tags.policy(seenBy: owner).policy == TagPolicy())
        }
    }

    @Test("A backup with several owners asks which one signs in, and the others wait")
    func owners() async throws {
        let disk = disk
        let archive = try await disk.open { house in
            let (owner, _) = try await house.claim()
            _ = try await house.resident("ada", role: "owner", by: owner)
            return try await disk.backup(house)
        }
        let before = try disk.contents()

        await #expect(throws: PostRestoreReconciliation.ReconciliationError.severalOwners(["ada", "owner"])) {
            try await disk.restore(archive)
        }
        await #expect(throws: PostRestoreReconciliation.ReconciliationError.noSuchOwner("eve", ["ada", "owner"])) {
            try await disk.restore(archive, owner: "eve")
        }
        #expect(try disk.contents() == before)
        #expect(try disk.beside() == ["house", "one.backup"])

        try await disk.restore(archive, owner: "ada")
        try await disk.open { house in
            _ = try await house.hub.sessions.login(username: "ada", password: TestHouse.password, origin: .house)
            await #expect(throws: (any Error).self) {
                try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
            }
        }
    }

    @Test("A truncated, altered or spliced backup is refused, and the house is unchanged")
    func damaged() async throws {
        let disk = disk
        let (one, other) = try await disk.open { house in
            try await house.claim()
            return (try await disk.backup(house), try await disk.backup(house, named: "two.backup"))
        }
        let before = try disk.contents()
        let (bytes, others) = (try Data(contentsOf: one), try Data(contentsOf: other))
        var dice = XorshiftGenerator.forTest(11)
        var bad = (0..<12).map { _ in
            var changed = bytes
            changed[dice.next(bytes.count)] ^= UInt8(1 << dice.next(8))
            return changed
        }
        bad += (0..<6).map { _ in bytes.prefix(dice.next(bytes.count)) }
        bad += [Data(), bytes + [0], bytes.prefix(bytes.count / 2) + others.suffix(others.count - bytes.count / 2)]

        for (number, data) in bad.enumerated() {
            let file = disk.root.appending(path: "bad")
            try data.write(to: file)
            await #expect(throws: ArchiveError.self, "\(number), seed \(dice.seed)") { try await disk.restore(file) }
            #expect(try disk.contents() == before)
            #expect(try disk.beside() == ["bad", "house", "one.backup", "two.backup"])
        }
        await #expect(throws: ArchiveError.otherKey) { try await disk.restore(one, key: RecoveryKey()) }
        #expect(try disk.contents() == before)
    }

    /// A backup of a house that was changed before sealing: it opens, and is invalid.
    private func forged(lock: BackupRecipient? = nil, _ change: (URL) throws -> Void) throws -> URL {
        let folder = disk.root.appending(path: "forged-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: disk.folder, to: folder)
        try change(folder)
        let url = disk.root.appending(path: "\(folder.lastPathComponent).backup")
        try Data().write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        let lock = lock ?? BackupRecipient(disk.paper)
        let writer = try ArchiveWriter(ArchiveHeader(at: disk.clock.now, app: "1.0", lock: lock), lock: lock) {
            try handle.write(contentsOf: $0)
        }
        for name in ["hub.key", "house.sqlite"] {
            let file = folder.appending(path: name)
            guard let data = FileManager.default.contents(atPath: file.path) else { continue }
            try writer.add(name, from: FileHandle(forReadingFrom: file), size: UInt64(data.count))
        }
        _ = try writer.finish()
        try handle.close()
        return url
    }

    private func change(_ folder: URL, _ sql: String) throws {
        let database = try DatabaseQueue(path: folder.appending(path: "house.sqlite").path)
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; \(sql); PRAGMA journal_mode = DELETE")
        }
        try database.close()
    }

    @Test("A foreign, newer, incomplete or inconsistent house is refused, and the existing house is unchanged")
    func notWhole() async throws {
        let disk = disk
        try await disk.open { house in _ = try await house.claim() }
        let before = try disk.contents()
        let bad = [
            try forged {
                try change($0, "SELECT 1")
                try SealingKeyFileFixture.replace($0)
            },
            try forged { try change($0, "INSERT INTO grdb_migrations (identifier) VALUES ('9999')") },
            try forged { try change($0, "DROP TRIGGER audit_is_kept; DELETE FROM audit WHERE seq = 1") },
            try forged { try FileManager.default.removeItem(at: $0.appending(path: "hub.key")) },
            try forged { try change($0, "INSERT INTO phones SELECT 'p', 'nobody', 'none', zeroblob(32), 'x', NULL, NULL, 0") },
        ]
        for archive in bad {
            await #expect(throws: RestoreRunner.RestoreError.self, "\(archive.lastPathComponent)") { try await disk.restore(archive) }
            #expect(try disk.contents() == before)
        }
        // The control: an unchanged backup is restored.
        try await disk.restore(try forged { try change($0, "SELECT 1") })
    }

    @Test("An unauthenticated backup is refused with its house id, and restored if that is accepted")
    func unauthenticated() async throws {
        let disk = disk
        let found = try await disk.open { house in
            _ = try await house.claim()
            return try await house.hub.backups.houseID()
        }
        let id = try #require(found)
        let before = try disk.contents()
        func made(_ authentication: BackupAuthenticationKey?) throws -> URL {
            try forged(lock: BackupRecipient(recovery: disk.paper.publicKey, authentication: authentication)) { try change($0, "SELECT 1") }
        }

        let older = try made(nil)
        await #expect {
            try await disk.restore(older)
        } throws: { error in
            guard case RestoreRunner.RestoreError.notAuthenticated(let house, let app) = error else { return false }
            return house == id && app == "1.0" && "\(error)".contains("--accept-unauthenticated")
        }
        let guessed = try made(RecoveryKey().backupAuthentication)
        await #expect(throws: ArchiveError.self) { try await disk.restore(guessed, acceptsUnauthenticated: true) }
        #expect(try disk.contents() == before)

        let accepted = try await disk.restore(older, acceptsUnauthenticated: true)
        #expect(accepted.house == id && !accepted.isAuthenticated)
        let own = try await disk.restore(try made(disk.paper.backupAuthentication))
        #expect(own.house == id && own.isAuthenticated)
    }

    @Test("A house keeps its backup authentication key sealed and for one recovery key only")
    func authentication() async throws {
        let disk = disk
        try await disk.open { house in
            let (backups, paper, other) = (house.hub.backups, disk.paper, RecoveryKey())
            #expect(try await backups.isAuthenticating() == nil)
            try await backups.save(recoveryKey: paper.publicKey, replacing: false)
            #expect(try await backups.isAuthenticating() == false)
            try await backups.save(recoveryKey: paper.publicKey, authentication: paper.backupAuthentication, replacing: true)
            #expect(try await backups.isAuthenticating() == true)
            #expect(try await backups.defaultRecipient() == BackupRecipient(paper))
            #expect(try await backups.authentication(for: other.publicKey) == nil)
            let sealed = try await house.store.read { db in
                try Data.fetchOne(db, sql: "SELECT sealed FROM sealed_settings WHERE name = 'backup.authentication'")
            }
            let bytes = try #require(sealed)
            #expect(bytes.range(of: paper.backupAuthentication.reveal()) == nil)
            // An older version has no such value.
            try await house.store.write { try $0.execute(sql: "UPDATE backups SET recovery_key = ?", arguments: [other.publicKey]) }
            #expect(try await backups.isAuthenticating() == false)
        }
    }

    // SQLite does not notice a flipped bit in an audit entry. Backups went on being made, and none could be restored.
    @Test("A backup with a damaged audit log is kept and reported, and its restore reports the damage")
    func despiteRecord() async throws {
        let disk = disk
        let archive = try await disk.open { house in
            let (owner, _) = try await house.claim()
            try await house.store.write { db in
                for trigger in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'")
                {
                    try db.execute(sql: "DROP TRIGGER \(trigger)")
                }
                try db.execute(sql: "UPDATE audit SET event = zeroblob(length(event)) WHERE seq = 1")
            }
            let url = disk.root.appending(path: "one.backup")
            let file = try BackupFile(url)
            let receipt = try await disk.backup(of: house).run(for: BackupRecipient(disk.paper), at: disk.clock.now) {
                try file.append($0)
            }
            try await file.commit(receipt, key: BackupKey(disk.paper))
            for _ in 0..<2 {
                try await house.hub.backups.record(good: receipt.madeAt, bytes: receipt.bytes, damage: receipt.damage)
            }

            #expect(receipt.damage?.contains("Entry 1 of the audit log") == true)
            let standing = try await house.hub.backups.status(of: house.hub.house.current, seenBy: owner).state
            #expect(
                standing.isFailing && standing.lastSuccess?.bytes == receipt.bytes
                    && standing.lastFailure?.message.contains("Entry 1") == true)
            let told = try await house.store.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM journal WHERE subject GLOB 'backup:damage:*'")
            }
            #expect(told == 1, "once a day")
            return url
        }
        await #expect(throws: RestoreRunner.RestoreError.self) { try await disk.restore(archive) }

        let outcome = try await disk.restore(archive, despiteRecord: true)

        #expect(outcome.damage?.contains("Entry 1") == true)
        try await disk.open { house in
            let told = try await house.store.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM journal WHERE subject GLOB 'backup:damage:*'")
            }
            #expect(told == 1)
        }
    }

    @Test("A replica with a cursor beyond the backup has to start again")
    func followers() async throws {
        let disk = disk
        let (archive, cursors) = try await disk.open { house in
            let (owner, _) = try await house.claim()
            let archive = try await disk.backup(house)
            let before = try await house.hub.journal.last()
            _ = try await house.resident("ada", role: "member", by: owner)
            return (archive, [before, try await house.hub.journal.last()])
        }
        try await disk.restore(archive)

        try await disk.open { house in
            #expect(cursors[0] < cursors[1])
            for cursor in cursors {
                await #expect(throws: JournalTail.CursorError.self) { try await house.hub.journal.events(after: cursor, limit: 10) }
            }
        }
    }

    @Test("A house is restored to an empty place")
    func fresh() async throws {
        let disk = disk
        let archive = try await disk.open { house in
            try await house.claim()
            return try await disk.backup(house)
        }
        try FileManager.default.removeItem(at: disk.folder)

        let outcome = try await disk.restore(archive)

        #expect(outcome.before == nil)
        try await disk.open { house in
            _ = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: disk.folder.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o700)
    }
}

private enum SealingKeyFileFixture {
    static func replace(_ folder: URL) throws {
        let url = folder.appending(path: "hub.key")
        try FileManager.default.removeItem(at: url)
        _ = try KeyFile.openOrCreate(at: url)
    }
}
