import CardeaSecurity
import CardeaStore
import Crypto
import Dispatch
import Foundation
import GRDB
import Logging
import Synchronization

/// Writes the file after each signature, as long as the trail goes on from the note in it.
///
/// A trail that does not is left to the verification, which needs the old note to tell of it.
final class AuditCheckpointFileWriter: Sendable {
    private let store: Store
    private let signer: AuditSigner
    private let file: AuditCheckpointFile
    private let logger: Logger
    /// Files wait for the disk, and the cooperative pool has one thread for each core.
    private let queue = DispatchQueue(label: "cardea.audit-size")
    private let state = Mutex(State())

    private struct State {
        /// Whether the trail goes on from the note in the file; nil until that was compared.
        var isContinued: Bool?
        /// The size in the file, as far as it was written here.
        var written: Int64 = 0
    }

    /// nil for a house in memory.
    init?(store: Store, signer: AuditSigner, logger: Logger) {
        guard let file = AuditCheckpointFile(of: store) else { return nil }
        self.store = store
        self.signer = signer
        self.file = file
        self.logger = logger
    }

    /// A note that cannot be written now is written after the next signature.
    func save(_ checkpoint: AuditCheckpoint) async {
        guard checkpoint.size > state.withLock({ $0.written }) else { return }
        do {
            guard try await isContinued() else { return }
            let note = checkpoint.note(try checkpoint.signature(by: signer.key), by: signer.key.publicKey)
            try await onDisk { [file] in try file.write(note) }
            state.withLock { $0.written = max($0.written, checkpoint.size) }
        } catch is CancellationError {
            return
        } catch {
            logger.warning("the size of the audit trail could not be kept", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func isContinued() async throws -> Bool {
        if let known = state.withLock({ $0.isContinued }) { return known }
        // The file first: the database may be ahead of it, and never behind.
        let note = try await onDisk { [file] in
            file.removeDrafts()
            return file.read()
        }
        let isFollowed = try await store.read { [signer] db in try Self.isContinued(note, by: signer, db) }
        state.withLock { $0.isContinued = isFollowed }
        if !isFollowed {
            logger.error("the audit trail does not go on from its last size: see cardea-hub audit verify", metadata: ["file": "audit.size"])
        }
        return isFollowed
    }

    private static func isContinued(_ note: String?, by signer: AuditSigner, _ db: Database) throws -> Bool {
        guard let note else { return true }
        guard let kept = AuditCheckpoint(note: note, by: signer.key.publicKey), kept.origin == signer.origin else { return false }
        guard try AuditLogWriter.chainHead(db).seq >= kept.size else { return false }
        return try AuditMerkleTree(db).isExtension(with: kept.size, root: kept.root)
    }

    private func onDisk<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { waiting in
            queue.async { waiting.resume(with: Result(catching: body)) }
        }
    }
}
