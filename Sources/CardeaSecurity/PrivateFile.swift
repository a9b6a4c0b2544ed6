import Foundation

/// A file for one person alone: mode 0600 in a folder that no other user may change. It is written whole or not at all.
public struct PrivateFile: Sendable {
    public let url: URL

    public init(_ url: URL) { self.url = url }

    /// The reason why the file cannot be used, in words without a full stop.
    public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
        /// Others may read or replace it. The words say how to mend that.
        case denied(String)
        case unavailable(String)

        public var description: String {
            switch self {
            case .denied(let words), .unavailable(let words): words
            }
        }
    }

    private var folder: URL { url.deletingLastPathComponent() }

    /// Makes the folder if there is none, for its owner alone.
    public func prepareFolder() throws(FileError) {
        var about = stat()
        if stat(folder.path, &about) == 0 {
            // A user with write access to the folder could replace this file.
            guard about.st_mode & 0o022 == 0, about.st_uid == getuid() else {
                throw .denied("\(folder.path) may be changed by others. Run: chmod 700 \(folder.path)")
            }
            return
        }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .unavailable("\(folder.path) cannot be made: \(error.localizedDescription)")
        }
    }

    /// Returns the content of the file, or its first `limit` bytes; nil if there is no file.
    public func read(upTo limit: Int? = nil) throws(FileError) -> Data? {
        let descriptor = Self.open(url.path, O_RDONLY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .unavailable("\(url.path) cannot be read: \(Self.reason())")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var about = stat()
        guard fstat(descriptor, &about) == 0, about.st_mode & 0o077 == 0 else {
            throw .denied("\(url.path) may be read by others. Run: chmod 600 \(url.path)")
        }
        do {
            return try limit.map { try handle.read(upToCount: $0) } ?? handle.readToEnd() ?? Data()
        } catch {
            throw .unavailable("\(url.path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// Under another name first, onto the disk, then into place: a crash leaves the old file or the new one. Where it throws, either is
    /// there.
    public func replace(with bytes: Data) throws(FileError) {
        let draft = try makeTemporaryFile()
        // Does nothing once the draft is in place under the file's name.
        defer { draft.discard() }
        try draft.append(bytes)
        try draft.finish()
    }

    /// Makes a temporary file for content that arrives in parts. The caller must finish or discard it.
    public func makeTemporaryFile() throws(FileError) -> TemporaryFile {
        let path = "\(url.path).\(UUID().uuidString)"
        let descriptor = Self.open(path, O_WRONLY | O_CREAT | O_EXCL)
        guard descriptor >= 0 else { throw .unavailable("\(folder.path) cannot be written to: \(Self.reason())") }
        return TemporaryFile(file: self, path: path, handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// With mode 0600 if it makes the file; never through a link.
    static func open(_ path: String, _ flags: Int32) -> Int32 {
        Foundation.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    static func reason() -> String { String(cString: strerror(errno)) }
}

extension PrivateFile {
    /// A file beside the final one, which replaces it once it is complete.
    public struct TemporaryFile: Sendable {
        fileprivate let file: PrivateFile
        fileprivate let path: String
        fileprivate let handle: FileHandle

        public func append(_ bytes: Data) throws(FileError) {
            do { try handle.write(contentsOf: bytes) } catch { throw fileError(error) }
        }

        /// Discards the written data.
        public func restart() throws(FileError) {
            do {
                try handle.truncate(atOffset: 0)
                try handle.seek(toOffset: 0)
            } catch { throw fileError(error) }
        }

        /// Onto the disk, then into place. Where its name does not come to the disk it throws, and the file is in its place all the same.
        public func finish() throws(FileError) {
            try flush()
            guard rename(path, file.url.path) == 0 else {
                let reason = PrivateFile.reason()
                discard()
                throw .unavailable("\(file.url.path) cannot be replaced: \(reason)")
            }
            try flushFolder()
        }

        /// Writes to the disk, then moves into place unless a file is there already. The first writer wins.
        func finishIfAbsent() throws(FileError) {
            try flush()
            // A failed link is not an error: the existing file is read.
            link(path, file.url.path)
            discard()
            try flushFolder()
        }

        public func discard() {
            unlink(path)
        }

        private func flush() throws(FileError) {
            do {
                try handle.synchronize()
                try handle.close()
            } catch {
                discard()
                throw fileError(error)
            }
        }

        /// Flushes the new name to the disk, too: the old file's content may be worthless by then.
        private func flushFolder() throws(FileError) {
            // The folder may be reached through a link.
            let place = Foundation.open(file.folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // A folder that its user may write to and not read cannot be opened, and so not flushed. The file is complete and in place;
            // only the time at which its name reaches the disk is left to the system.
            try require(place >= 0, unless: EACCES, "cannot be opened")
            defer { if place >= 0 { close(place) } }
            // Some network file systems do not support flushing a folder.
            try require(place < 0 || fsync(place) == 0, unless: EINVAL, "cannot be written to the disk")
        }

        /// Throws if the system has just refused the operation on the folder, for a reason other than `harmless`.
        private func require(_ isDone: Bool, unless harmless: Int32, _ words: String) throws(FileError) {
            guard isDone || errno == harmless else { throw .unavailable("\(file.folder.path) \(words): \(PrivateFile.reason())") }
        }

        private func fileError(_ error: any Error) -> FileError {
            .unavailable("\(file.url.path) cannot be written: \(error.localizedDescription)")
        }
    }
}
