import Foundation
import Synchronization

/// A disk that takes its time, where the one here answers in a tenth of it: what a household's takes to have something durable.
///
/// Where SQLite asks the system for it, our call of that name is found first, which waits and then asks the system.
enum SlowDisk {
    /// Microseconds that each sync takes beside what the disk here takes.
    private static let pause = Atomic<UInt32>(0)

    private typealias Sync = @convention(c) (Int32) -> Int32
    /// The one that comes after ours.
    private static let system = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "fdatasync").map { unsafeBitCast($0, to: Sync.self) }

    /// Has each sync take this much longer while `body` lasts.
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
