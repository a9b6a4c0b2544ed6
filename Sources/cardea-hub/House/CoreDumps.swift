import ArgumentParser
import CardeaBackup
import Foundation

#if canImport(CLinux)
    import CLinux
#endif

/// Keeps memory with its keys off the disk: core dumps are disabled, and only root can read the process's memory.
enum CoreDumps {
    static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #if canImport(CLinux)
            _ = cardea_forbid_core_dumps()
        #endif
    }
}
