import Foundation
import Synchronization

/// A backup on its way to the disk. Until it is whole and was looked at it has another name.
public final class BackupFile: Sendable {
    public let url: URL
    private let draft: URL
    private let descriptor: Int32
    private let isOpen = Mutex(true)

    /// Why it cannot be written, in words.
    public struct Problem: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// Begins one. Nothing may be there under its name.
    public init(_ url: URL) throws(Problem) {
        self.url = url
        guard access(url.path, F_OK) != 0 else {
            throw Problem(description: "There is a file \(url.path) already. Name another one with --out.")
        }
        draft = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8)).partial")
        descriptor = open(draft.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.problem("\(url.deletingLastPathComponent().path) cannot be written to") }
    }

    /// Which backup a draft was to be; nil where a file is none.
    static func name(ofDraft file: String) -> String? {
        guard file.hasPrefix("."), file.hasSuffix(".partial") else { return nil }
        // The dot, and what comes after the name.
        return file.dropFirst().dropLast(".partial".count).lastIndex(of: ".").map { String(file[file.index(after: file.startIndex)..<$0]) }
    }

    public func append(_ data: Data) throws(Problem) {
        var place = 0
        while place < data.count {
            let count = data.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + place }, bytes.count - place)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.problem("\(url.path) cannot be written") }
            place += count
        }
    }

    /// Onto the disk, read back and compared, opened where the key is at hand, and only then under its own name.
    public func keep(_ receipt: Backup.Receipt, key: BackupKey? = nil) async throws {
        guard fsync(descriptor) == 0 else { throw Self.problem("\(url.path) cannot be written") }
        shut()
        let (draft, url) = (draft, url)
        try await Disk.run {
            guard try ArchiveReader.digest(of: draft) == receipt.digest else {
                throw Problem(description: "What was read back from \(draft.path) is not what was written. Look at the disk.")
            }
            if let key { try ArchiveReader(draft).read(with: key) { _ in { _ in } } }
            guard rename(draft.path, url.path) == 0 else { throw Self.problem("\(url.path) cannot be put in place") }
            try Folder.flush(url.deletingLastPathComponent())
        }
    }

    /// Gives it up.
    public func discard() {
        shut()
        unlink(draft.path)
    }

    private func shut() {
        isOpen.withLock { isOpen in
            if isOpen { close(descriptor) }
            isOpen = false
        }
    }

    deinit { shut() }

    private static func problem(_ what: String) -> Problem { Problem(description: "\(what): \(String(cString: strerror(errno)))") }
}

enum Folder {
    /// The names in it, onto the disk.
    static func flush(_ folder: URL) throws {
        let place = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(place) }
        guard place >= 0, fsync(place) == 0 else {
            throw BackupFile.Problem(description: "\(folder.path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
