import ArgumentParser
import CardeaBackup
import Foundation

/// Sockets and database files need descriptors; the soft limit is often far below what is allowed.
enum FileLimit {
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
