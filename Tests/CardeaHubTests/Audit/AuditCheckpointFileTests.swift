import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Audit checkpoint file beside the database")
struct AuditCheckpointFileTests {
    private struct Found: Equatable {
        var problem: String?
        var fault: AuditChain.Fault?
    }

    /// A house in a folder whose audit log has been signed twice.
    private struct Signed {
        let folder: URL
        let house: TestHouse
        let file: AuditCheckpointFile
        /// The note after the first signature.
        let first: String

        init() async throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            house = try await TestHouse.make(store: try Store(folder: folder))
            file = try #require(AuditCheckpointFile(of: house.store))
            try await house.appendAuditEntries(by: 20)
            first = try #require(file.read())
            try await house.appendAuditEntries(by: 20)
        }

        var size: Int64 { get async throws { try await house.store.read { try AuditLogWriter.chainHead($0).seq } } }

        /// The problem that `check` and `audit verify` report, and the fault that a running hub finds.
        func found(in house: TestHouse) async throws -> Found {
            let problem = try await AuditVerification.problem(in: house.store, sealing: house.sealing)
            return Found(problem: problem, fault: try await house.hub.auditMonitor.verify().problem?.fault)
        }

        func startAgain() async throws -> TestHouse {
            try await TestHouse.make(store: house.store, sealing: house.sealing, clock: house.clock)
        }

        func end() throws {
            try house.store.close()
            try FileManager.default.removeItem(at: folder)
        }
    }

    @Test("Truncating the log and its checkpoints is reported at the first missing entry, and still after new entries")
    func cut() async throws {
        let signed = try await Signed()
        let size = try await signed.size
        let note = try #require(signed.file.read())
        #expect(note != signed.first)
        #expect(try await signed.found(in: signed.house) == Found())

        try await signed.house.truncateAudit(after: size - 5)

        let found = try await signed.found(in: signed.house)
        #expect(found.problem == "Entry \(size - 4) of the audit log is missing.")
        #expect(found.fault == .missing)
        let again = try await signed.startAgain()
        try await again.appendAuditEntries(by: 20)
        #expect(signed.file.read() == note)
        let later = try await signed.found(in: again)
        #expect(later.problem == AuditChain.ChainError(seq: size, fault: .disproved).description)
        #expect(later.fault == .disproved)
        try signed.end()
    }

    @Test("A checkpoint file older than the database raises no alarm and is rewritten after the next signature")
    func older() async throws {
        let signed = try await Signed()
        try signed.file.write(signed.first)
        #expect(try await signed.found(in: signed.house) == Found())

        let again = try await signed.startAgain()
        try await again.appendAuditEntries()

        #expect(signed.file.read() != signed.first)
        #expect(try await signed.found(in: again) == Found())
        let mode = try FileManager.default.attributesOfItem(atPath: signed.file.url.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        try signed.end()
    }

    @Test("A checkpoint file with a foreign signature is reported and not overwritten; a missing file is no error")
    func foreign() async throws {
        let signed = try await Signed()
        let size = try await signed.size
        let forged = signed.first.replacingOccurrences(of: "\nat ", with: "\nat 1")
        try signed.file.write(forged)

        let found = try await signed.found(in: signed.house)
        #expect(found.problem == AuditCheckpointFile.foreignSignatureMessage)
        #expect(found.fault == .unsigned)
        let again = try await signed.startAgain()
        try await again.appendAuditEntries()
        #expect(signed.file.read() == forged)

        try FileManager.default.removeItem(at: signed.file.url)
        #expect(try await signed.found(in: again) == Found())
        #expect(try await signed.size > size)
        try signed.end()
    }
}
