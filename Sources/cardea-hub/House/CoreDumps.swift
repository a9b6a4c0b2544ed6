import ArgumentParser
import CardeaBackup
import Foundation

#if canImport(CLinux)
    import CLinux
#endif

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
