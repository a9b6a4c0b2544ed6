import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB

@testable import CardeaHub

/// A folder with a key, and a house in memory.
struct HouseKeyFixture {
    let folder: URL
    let store: Store
    var environment: [String: String] = [:]
    var keyring: (any SecretStore)?
    var credentialFile: (any SystemdCredentialFile)?

    /// Runs `body` with a new one, whose folder is deleted afterwards.
    static func open(_ body: (HouseKeyFixture) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(HouseKeyFixture(folder: folder, store: try .inMemory()))
    }

    func with(_ change: (inout HouseKeyFixture) -> Void) -> HouseKeyFixture {
        var kept = self
        change(&kept)
        return kept
    }

    var file: URL { folder.appending(path: "hub.key") }
    var keys: HouseKeys {
        let places = KeyLocations(folder: folder, environment: environment, keyring: keyring, credentialFile: credentialFile)
        return HouseKeys(store: store, places: places, environment: ManualClock().environment)
    }

    /// A claimed house that also has a recovery key.
    @discardableResult
    func house(sealedBy sealing: SealingKey, and paper: RecoveryKey) async throws -> TestHouse {
        let house = try await TestHouse.make(store: store, sealing: sealing)
        _ = try await house.claim()
        try await house.hub.backups.save(recoveryKey: paper.publicKey, replacing: false)
        return house
    }

    /// Everything sealed opens with `sealing`, and the audit log is intact.
    func isWhole(with sealing: SealingKey) async throws -> Bool {
        try await store.read { db in try SealedColumns.verify(with: sealing, in: db) }
        return try await AuditVerification.problem(in: store, sealing: sealing) == nil
    }

    func opensCompletely(changing: Bool = true) async throws -> Bool {
        try await isWhole(with: keys.open(changing: changing).sealing)
    }

    /// The audit log's entries about the house key and the recovery key on paper, oldest first: action, result and reason.
    func auditActions(sealedBy sealing: SealingKey) async throws -> [String] {
        let house = try await TestHouse.make(store: store, sealing: sealing)
        return try await house.auditNotes().filter { $0.action.hasPrefix("house_key.") || $0.action.hasPrefix("recovery_key.") }
            .map { note in [note.action, note.result, note.reasonText].compactMap(\.self).joined(separator: " ") }
    }

    func rows() async throws -> [String] {
        try await store.read { try String.fetchAll($0, sql: "SELECT place FROM house_keys ORDER BY number") }
    }

    /// The house key error that a body throws; nil if it throws none.
    func problem<Answer>(_ body: () async throws -> Answer) async throws -> HouseKeyError? {
        do {
            _ = try await body()
            return nil
        } catch let problem as HouseKeyError { return problem }
    }
}
