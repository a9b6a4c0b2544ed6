import Foundation
import Synchronization

/// A backup being written. It has another name until it is complete and checked.
public final class BackupFile: Sendable {
    public let url: URL
    private let temporaryURL: URL
    private let descriptor: Int32
    private let isOpen = Mutex(true)

    /// The reason why it cannot be written, in words.
    public struct FileError: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// Begins one. Nothing may be there under its name.
    public init(_ url: URL) throws(FileError) {
        self.url = url
        guard access(url.path, F_OK) != 0 else {
            throw FileError(description: "The file \(url.path) exists already. Choose another one with --out.")
        }
        temporaryURL = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8)).partial")
        descriptor = open(temporaryURL.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.fileError("\(url.deletingLastPathComponent().path) cannot be written to") }
    }

    /// The backup that a draft was to become; nil if a file is no draft.
    static func name(ofDraft file: String) -> String? {
        guard file.hasPrefix("."), file.hasSuffix(".partial") else { return nil }
        // The dot and the characters after the name.
        return file.dropFirst().dropLast(".partial".count).lastIndex(of: ".").map { String(file[file.index(after: file.startIndex)..<$0]) }
    }

    public func append(_ data: Data) throws(FileError) {
        var place = 0
        while place < data.count {
            let count = data.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + place }, bytes.count - place)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.fileError("\(url.path) cannot be written") }
            place += count
        }
    }

    /// Onto the disk, read back and compared, opened if the key is at hand, and only then under its own name.
    public func commit(_ receipt: BackupRunner.Receipt, key: BackupKey? = nil) async throws {
        guard fsync(descriptor) == 0 else { throw Self.fileError("\(url.path) cannot be written") }
        closeIfOpen()
        let (draft, url) = (temporaryURL, url)
        try await BlockingIO.run {
            guard try ArchiveReader.digest(of: draft) == receipt.digest else {
                throw FileError(description: "The backup read back from \(draft.path) differs from what was written. Check the disk.")
            }
            if let key { try ArchiveReader(draft).read(with: key) { _ in { _ in } } }
            guard rename(draft.path, url.path) == 0 else { throw Self.fileError("\(url.path) cannot be renamed to its final name") }
            try FolderSync.flush(url.deletingLastPathComponent())
        }
    }

    /// Gives it up.
    public func discard() {
        closeIfOpen()
        unlink(temporaryURL.path)
    }

    private func closeIfOpen() {
        isOpen.withLock { isOpen in
            if isOpen { close(descriptor) }
            isOpen = false
        }
    }

    deinit { closeIfOpen() }

    private static func fileError(_ what: String) -> FileError { FileError(description: "\(what): \(String(cString: strerror(errno)))") }
}

enum FolderSync {
    /// The names in it, onto the disk.
    static func flush(_ folder: URL) throws {
        let place = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(place) }
        guard place >= 0, fsync(place) == 0 else {
            throw BackupFile.FileError(description: "\(folder.path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
