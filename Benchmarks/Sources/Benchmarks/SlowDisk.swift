import Foundation
import Synchronization

/// A slow disk in place of a fast one here: the time that a household's disk needs for a durable write.
///
/// When SQLite syncs, it finds our function of that name first, which waits and then calls the system's.
enum SlowDisk {
    /// Microseconds that each sync takes in addition to the real disk's time.
    private static let pause = Atomic<UInt32>(0)

    private typealias Sync = @convention(c) (Int32) -> Int32
    /// The system's function behind ours.
    private static let system = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "fdatasync").map { unsafeBitCast($0, to: Sync.self) }

    /// Makes each sync take this much longer while `body` runs.
    static func waiting<Result>(microseconds: UInt32, _ body: () async throws -> Result) async rethrows -> Result {
        pause.store(microseconds, ordering: .relaxed)
        defer { pause.store(0, ordering: .relaxed) }
        return try await body()
    }

    fileprivate static func sync(_ file: Int32) -> Int32 {
        usleep(pause.load(ordering: .relaxed))
        guard let system else {
            errno = ENOSYS
            return -1
        }
        return system(file)
    }
}

@_cdecl("fdatasync") public func fdatasyncInTime(_ file: Int32) -> Int32 { SlowDisk.sync(file) }
