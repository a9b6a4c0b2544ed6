import CardeaSecurity
import CardeaStore
import Crypto
import Dispatch
import Foundation
import GRDB
import Logging
import Synchronization

/// Writes the file after each signature, as long as the audit log extends the note in it.
///
/// If it does not, the file is left as it is: verification needs the old note to detect it.
final class AuditCheckpointFileWriter: Sendable {
    private let store: Store
    private let signer: AuditSigner
    private let file: AuditCheckpointFile
    private let logger: Logger
    /// File access blocks, and the cooperative pool has only one thread for each core.
    private let queue = DispatchQueue(label: "cardea.audit-size")
    private let state = Mutex(State())

    private struct State {
        /// True if the audit log extends the checkpoint in the file; nil until they have been compared.
        var isContinued: Bool?
        /// The size in the file, as far as this process has written it.
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
            logger.warning("audit log size could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func isContinued() async throws -> Bool {
        if let known = state.withLock({ $0.isContinued }) { return known }
        // The file is written first: the database may be ahead of it, and never behind.
        let note = try await onDisk { [file] in
            file.removeDrafts()
            return file.read()
        }
        let isFollowed = try await store.read { [signer] db in try Self.isContinued(note, by: signer, db) }
        state.withLock { $0.isContinued = isFollowed }
        if !isFollowed {
            logger.error("audit log does not continue from its last size: run cardea-hub audit verify", metadata: ["file": "audit.size"])
        }
        return isFollowed
    }

    private static func isContinued(_ note: String?, by signer: AuditSigner, _ db: Database) throws -> Bool {
        guard let note else { return true }
        guard let stored = AuditCheckpoint(note: note, by: signer.key.publicKey), stored.origin == signer.origin else { return false }
        guard try AuditLogWriter.chainHead(db).seq >= stored.size else { return false }
        return try AuditMerkleTree(db).isExtension(with: stored.size, root: stored.root)
    }

    private func onDisk<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { waiting in
            queue.async { waiting.resume(with: Result(catching: body)) }
        }
    }
}
