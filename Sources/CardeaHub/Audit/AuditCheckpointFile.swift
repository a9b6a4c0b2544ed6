import CardeaSecurity
import CardeaStore
import Crypto
import Dispatch
import Foundation
import GRDB
import Logging
import Synchronization

/// The audit log's last checkpoint in a file beside the database, as a signed note.
///
/// A program that writes only to the database can cut off the end of the log together with its checkpoints. It cannot change this file, and
/// it cannot sign another note, since the signing key is sealed.
struct AuditCheckpointFile: Sendable {
    static let fileName = "audit.size"
    static let foreignSignatureMessage = "The file \(fileName) beside the database was not signed by the key of this house."
    /// Bytes. A longer file is not a note of the house.
    private static let maxSize = 4096

    let url: URL

    /// nil for a house in memory.
    init?(of store: Store) {
        guard let folder = store.folder else { return nil }
        url = folder.appending(path: Self.fileName)
    }

    /// - Returns: the note; nil if there is no file. An unreadable file counts as a note that the house did not sign.
    func read() -> String? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            let bytes = try FileHandle(forReadingFrom: url).read(upToCount: Self.maxSize + 1) ?? Data()
            return String(decoding: bytes, as: UTF8.self)
        } catch { return "" }
    }

    /// Writes the note to the disk. A crash leaves the old note or the new one.
    func write(_ note: String) throws { try PrivateFile(url).replace(with: Data(note.utf8)) }

    /// Deletes drafts left by a crash.
    func removeDrafts() {
        let folder = url.deletingLastPathComponent()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where name.hasPrefix(Self.fileName + ".") {
            // A file that cannot be deleted does no harm.
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
