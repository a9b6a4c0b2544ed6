import CardeaSecurity
import CardeaStore
import Crypto
import Dispatch
import Foundation
import GRDB
import Logging
import Synchronization

/// The audit trail's last checkpoint in a file beside the database, as a signed note.
///
/// A program that writes in the database alone can cut off the end of the trail together with its checkpoints. It cannot change this file, and
/// it cannot sign another note, since the key that signs is sealed.
struct AuditCheckpointFile: Sendable {
    static let fileName = "audit.size"
    static let foreignSignatureMessage = "The file \(fileName) beside the database was not signed by the key of this house."
    /// Bytes; a longer one is no note of the house's.
    private static let maxSize = 4096

    let url: URL

    /// nil for a house in memory.
    init?(of store: Store) {
        guard let folder = store.folder else { return nil }
        url = folder.appending(path: Self.fileName)
    }

    /// - Returns: the note; nil where there is no file. A file that cannot be read is no note that the house signed.
    func read() -> String? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            let bytes = try FileHandle(forReadingFrom: url).read(upToCount: Self.maxSize + 1) ?? Data()
            return String(decoding: bytes, as: UTF8.self)
        } catch { return "" }
    }

    /// Onto the disk; a crash leaves the old note or the new one.
    func write(_ note: String) throws { try PrivateFile(url).replace(with: Data(note.utf8)) }

    /// Takes away drafts that a crash left.
    func removeDrafts() {
        let folder = url.deletingLastPathComponent()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where name.hasPrefix(Self.fileName + ".") {
            // One that cannot be taken away is in nobody's way.
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
