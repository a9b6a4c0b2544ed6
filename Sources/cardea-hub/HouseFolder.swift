import ArgumentParser
import Foundation

#if canImport(CCoreDumps)
    import CCoreDumps
#endif

/// The folder that holds one house, and the lock that keeps two hubs out of it.
final class HouseFolder {
    let url: URL
    private let lock: Int32

    init(at path: String) throws {
        url = URL(filePath: path, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        lock = open(url.appending(path: "hub.lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw ValidationError("The folder \(path) cannot be written to.") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw ValidationError("Another hub serves the house in \(path). Stop it first, or name another folder with --data.")
        }
    }

    deinit {
        close(lock)
    }
}

/// What lies in memory, keys among it, stays there: no core dump is left on a disk, and nobody but root reads it.
enum CoreDumps {
    static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #if canImport(CCoreDumps)
            _ = cardea_forbid_core_dumps()
        #endif
    }
}

/// A file that may not grow any further, since its user is allowed no longer one, is as a full disk: whoever writes is told so. Left to itself the
/// system would end the program instead, and every door with it.
enum FileSizeLimit {
    static func tellWhoWrites() {
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
