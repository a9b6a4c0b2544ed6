import ArgumentParser
import CardeaBackup
import Foundation

#if canImport(CLinux)
    import CLinux
#endif

/// The folder that holds one house, and the lock that keeps two hubs out of it. What root makes in it belongs to the folder's owner.
final class HouseFolder {
    let url: URL
    let reserve: StartupReserve
    private let lock: Int32
    private var hasReleasedReserve = false

    init(at path: String) throws {
        url = URL(filePath: path, directoryHint: .isDirectory)
        reserve = StartupReserve(in: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        lock = open(url.appending(path: "hub.lock").path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw ValidationError(FolderOwnership.creationFailure(of: url, because: errno)) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw ValidationError("Another hub serves the house in \(path). Stop it first, or name another folder with --data.")
        }
        // The lock itself is such a file, and what an earlier program left.
        FolderOwnership.transfer(url)
        if let words = FolderOwnership.startObstacle(in: url) { throw ValidationError(words) }
    }

    /// Gives up the room that is kept for a start, where there is little other, and what a broken backup has left.
    ///
    /// - Returns: whether there is little.
    func freeSpace() -> Bool {
        BackupRunner.removeLeftovers(url)
        hasReleasedReserve = reserve.release()
        return hasReleasedReserve
    }

    deinit {
        if hasReleasedReserve { reserve.allocate() }
        FolderOwnership.transfer(url)
        close(lock)
    }
}

/// What lies in memory, keys among it, stays there: no core dump is left on a disk, and nobody but root reads it.
enum CoreDumps {
    static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #if canImport(CLinux)
            _ = cardea_forbid_core_dumps()
        #endif
    }
}

/// A file that may not grow any further, since its user is allowed no longer one, is as a full disk: whoever writes is told so. Left to itself the
/// system would end the program instead, and every door with it.
enum FileSizeLimit {
    static func ignoreSignal() {
        signal(SIGXFSZ, SIG_IGN)
    }
}

/// Sockets and database files need descriptors; the soft limit is often far below what is allowed.
enum FileLimit {
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
