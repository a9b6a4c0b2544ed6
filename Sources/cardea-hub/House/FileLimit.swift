import ArgumentParser
import CardeaBackup
import Foundation

/// Raises the soft limit for file descriptors, which is often far below the permitted maximum. Sockets and database files need them.
enum FileLimit {
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
