import CardeaHub
import CardeaSecurity
import CardeaTestSupport
import Foundation
import GRDB
import Glibc
import Testing

@testable import CardeaStore

@Suite("Recovery of a house with a lost key", .timeLimit(.minutes(5)))
struct HouseKeyRecoveryTests {
    // An older house was once migrated, irreversibly, before the recovery key was checked.
    @Test("Recovery key matching works on a read-only house and leaves its database file unchanged")
    func fitting() async throws {
        try await HouseKeyFixture.open { kept in
            let (paper, other) = (RecoveryKey(), RecoveryKey())
            let house = try await TestHouse.make(store: kept.store, sealing: try await kept.keys.open().sealing)
            _ = try await house.claim()
            let file = kept.folder.appending(path: "house.sqlite")
            func misfit(_ sheet: RecoveryKey) async throws -> HouseKeyError? {
                try await kept.store.copy(to: file)
                let before = try Data(contentsOf: file)
                let found = try await kept.problem { try await HouseKeys.requireMatch(sheet, in: kept.folder) }
                #expect(try Data(contentsOf: file) == before)
                try FileManager.default.removeItem(at: file)
                return found
            }

            #expect(try await misfit(paper) == .noRecoveryKey)
            try await house.hub.backups.save(recoveryKey: paper.publicKey, replacing: false)
            #expect(try await misfit(other) == .otherRecoveryKey)
            #expect(try await misfit(paper) == nil)
        }
    }

    @Test("A database from before recovery keys reports no recovery key and stays unchanged")
    func beforePaper() async throws {
        try await HouseKeyFixture.open { kept in
            let file = kept.folder.appending(path: "house.sqlite")
            let database = try DatabaseQueue(path: file.path, configuration: Store.configuration(SealingFunctions()))
            try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number < 25 })
            try database.close()
            let before = try Data(contentsOf: file)

            #expect(try await kept.problem { try await HouseKeys.requireMatch(RecoveryKey(), in: kept.folder) } == .noRecoveryKey)

            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test("A house with one legacy key recovers with the recovery key and gets a key of its own")
    func recoveryBefore() async throws {
        try await HouseKeyFixture.open { kept in
            let (paper, key) = (RecoveryKey(), try KeyEncryptionKey.random())
            try await kept.house(sealedBy: key.asHouseKey, and: paper)
            #expect(try await kept.rows() == ["recovery"])

            let recovered = try await kept.keys.recover(with: paper)

            #expect(recovered.setAside == nil)
            #expect(try await kept.isWhole(with: recovered.opened.sealing))
            #expect(try await kept.opensCompletely())
            #expect(try await kept.rows() == ["recovery", "file"])
        }
    }

    @Test("Recovery works with the current recovery key, also after a key rotation and a replaced recovery key")
    func recovery() async throws {
        try await HouseKeyFixture.open { kept in
            let (paper, other) = (RecoveryKey(), RecoveryKey())
            let first = try await kept.keys.open()
            let house = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            _ = try await house.claim()
            #expect(try await kept.problem { try await kept.keys.recover(with: paper) } == .noRecoveryKey)
            try await house.hub.backups.save(recoveryKey: paper.publicKey, replacing: false)
            _ = try await kept.keys.rotate(first)
            try FileManager.default.removeItem(at: kept.file)
            #expect(try await kept.problem { try await kept.keys.recover(with: other) } == .otherRecoveryKey)

            let opened = try await kept.keys.recover(with: paper).opened

            #expect(try await kept.isWhole(with: opened.sealing))
            #expect(try await kept.opensCompletely())
            #expect(try await kept.rows() == ["recovery", "file"])

            let backups = try await Hub.backups(of: kept.store, sealing: opened.sealing)
            try await backups.save(recoveryKey: other.publicKey, replacing: true)
            try FileManager.default.removeItem(at: kept.file)
            #expect(try await kept.problem { try await kept.keys.recover(with: paper) } == .otherRecoveryKey)
            let again = try await kept.keys.recover(with: other).opened
            #expect(try await kept.isWhole(with: again.sealing))
            let deeds = [
                "recovery_key.make done", "house_key.rotate done", "house_key.recover done", "recovery_key.make done",
                "house_key.recover done",
            ]
            #expect(try await kept.auditActions(sealedBy: again.sealing) == deeds)
        }
    }

    @Test("A house key not yet sealed to an existing recovery key is sealed to it at the next start")
    func owed() async throws {
        try await HouseKeyFixture.open { kept in
            let paper = RecoveryKey()
            let first = try await kept.keys.open()
            _ = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            try await kept.store.write { try $0.execute(sql: "UPDATE backups SET recovery_key = ?", arguments: [paper.publicKey]) }

            _ = try await kept.keys.open()

            #expect(try await kept.rows() == ["recovery", "file"])
            try FileManager.default.removeItem(at: kept.file)
            let again = try await kept.keys.recover(with: paper).opened
            #expect(try await kept.isWhole(with: again.sealing))
        }
    }

    // Recovery once overwrote another house's key, which was stored in that file.
    @Test("Recovery keeps a foreign or damaged key file under another name")
    func recoveryBeside() async throws {
        try await HouseKeyFixture.open { kept in
            let paper = RecoveryKey()
            let first = try await kept.keys.open()
            try await kept.house(sealedBy: first.sealing, and: paper)
            let credential = ScriptedCredentialFile(in: kept.folder, sealedBy: .host)
            let broken = kept.with { $0.credentialFile = credential }
            for (number, foreign) in [Data(repeating: 7, count: 32), Data("half".utf8)].enumerated() {
                try foreign.write(to: kept.file)
                credential.write(foreign)

                let recovered = try await broken.keys.recover(with: paper)

                let other = kept.file.path + ".kept-\(number + 1)"
                #expect(recovered.setAside == other && recovered.strayCredential == credential.path)
                #expect(try Data(contentsOf: URL(filePath: other)) == foreign)
                // A useless credential does not block the file.
                #expect(try await broken.opensCompletely())
            }
            let known = try await kept.keys.recover(with: paper)
            #expect(known.setAside == nil && known.strayCredential == nil)
        }
    }

    @Test("Recovery is refused, leaving the house unchanged, when the existing key file cannot be kept under another name")
    func recoveryRefused() async throws {
        try await HouseKeyFixture.open { kept in
            let paper = RecoveryKey()
            let first = try await kept.keys.open()
            try await kept.house(sealedBy: first.sealing, and: paper)

            // A folder cannot be hard-linked.
            try FileManager.default.removeItem(at: kept.file)
            try FileManager.default.createDirectory(at: kept.file, withIntermediateDirectories: false)
            let reason = String(cString: strerror(EPERM))
            #expect(try await kept.problem { try await kept.keys.recover(with: paper) } == .disk(kept.file.path + ".kept-1", reason))
            try FileManager.default.removeItem(at: kept.file)

            // Nor is a name free when all are taken.
            let foreign = Data(repeating: 7, count: 32)
            try foreign.write(to: kept.file)
            for number in 1...1000 { try Data().write(to: URL(filePath: "\(kept.file.path).kept-\(number)")) }
            #expect(try await kept.problem { try await kept.keys.recover(with: paper) } == .occupied(kept.file.path))
            #expect(try Data(contentsOf: kept.file) == foreign)

            try PrivateFile(kept.file).replace(with: first.encryption.reveal())
            #expect(try await kept.opensCompletely())
        }
    }
}
