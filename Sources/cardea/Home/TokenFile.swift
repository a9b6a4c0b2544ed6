import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

/// `tokens.json`, mode 0600 in a folder of mode 0700. Written whole or not at all; changed by one process at a time.
struct TokenFile: Sendable {
    let folder: URL

    private var file: URL { folder.appendingPathComponent("tokens.json") }

    /// What is kept, or nothing yet.
    func read() throws -> Kept {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return Kept() }
            throw ClientError.storage("\(file.path) cannot be read: \(Self.reason()).")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var about = stat()
        guard fstat(descriptor, &about) == 0, about.st_mode & 0o077 == 0 else {
            throw ClientError.storage("\(file.path) may be read by others. Run: chmod 600 \(file.path)")
        }
        do {
            return try Wire.read(Kept.self, from: handle.readToEnd() ?? Data())
        } catch {
            throw ClientError.storage("\(file.path) cannot be understood. Take it away, then sign in and take your passes again.")
        }
    }

    /// Changes what is kept while nobody else can. What `change` leaves is kept, also when it throws.
    func update<Result>(_ change: (inout Kept) async throws -> Result) async throws -> Result {
        try prepareFolder()
        let lock = try await FileLock.Place(folder.appendingPathComponent("tokens.lock")).take()
        defer { lock.release() }
        var kept = try read()
        let result: Result
        do {
            result = try await change(&kept)
        } catch {
            try write(kept)
            throw error
        }
        try write(kept)
        return result
    }

    private func prepareFolder() throws {
        var about = stat()
        if stat(folder.path, &about) == 0 {
            // Whoever may write here may put another file in this one's place.
            guard about.st_mode & 0o022 == 0, about.st_uid == getuid() else {
                throw ClientError.storage("\(folder.path) may be changed by others. Run: chmod 700 \(folder.path)")
            }
            return
        }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ClientError.storage("\(folder.path) cannot be made: \(error.localizedDescription)")
        }
    }

    /// Under another name first, onto the disk, then into place: a crash leaves the old file or the new one.
    private func write(_ kept: Kept) throws {
        let draft = folder.appendingPathComponent("tokens.json.\(UUID().uuidString)").path
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ClientError.storage("\(folder.path) cannot be written to: \(Self.reason()).") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Wire.encode(kept))
            try handle.synchronize()
            try handle.close()
            guard rename(draft, file.path) == 0 else { throw ClientError.storage("\(file.path) cannot be replaced: \(Self.reason()).") }
        } catch {
            unlink(draft)
            throw error
        }
        syncFolder()
    }

    /// The new name, too, must be on the disk: the old refresh token is worth nothing any more.
    private func syncFolder() {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func reason() -> String { String(cString: strerror(errno)) }
}

/// The session at one house among what is kept. House and tokens are written together: a token never meets another house.
struct KeptSessionStore: SessionStore {
    let file: TokenFile
    let hub: HubAddress

    func load() async throws -> Session? { try file.read().session(at: hub) }

    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        try await file.update { kept in
            var session = kept.session(at: hub)
            defer { kept.set(session, at: hub) }
            return try await change(&session)
        }
    }
}
