import CardeaModel
import Foundation
import Synchronization

/// The room on the disk that is kept for the house's own commands.
///
/// While less than that is left, pictures, detections, records of unknown callers and backups stop. Commands, rings, alarms and changes of
/// doors go on. `DiskMonitor` keeps it up to date; to read it costs a lock.
public final class DiskReserve: Sendable {
    private struct State {
        var space: DiskSpace?
        var isLow: Bool
    }

    private let state: Mutex<State>

    /// - Parameter space: nil for a house that has no file system, in which room is never low.
    init(_ space: DiskSpace?) {
        state = Mutex(State(space: space, isLow: space?.isLow(wasLow: false) ?? false))
    }

    /// True while less room is left than is kept.
    public var isLow: Bool { state.withLock { $0.isLow } }

    /// The last measurement of the file system; nil for a house without one.
    public var space: DiskSpace? { state.withLock { $0.space } }

    /// Updates the state from a reading of the file system; an unreadable one changes nothing.
    ///
    /// - Returns: true if space is low now.
    func update(_ space: DiskSpace?) -> Bool {
        state.withLock { state in
            guard let space else { return state.isLow }
            state = State(space: space, isLow: space.isLow(wasLow: state.isLow))
            return state.isLow
        }
    }

    /// - Throws: `LowDiskSpaceError` while room is low.
    func require() throws {
        let now = state.withLock { $0 }
        if now.isLow, let space = now.space { throw LowDiskSpaceError(space: space) }
    }

    /// The disk has less room than is kept for the house's own commands.
    public struct LowDiskSpaceError: Error, CustomStringConvertible {
        public let space: DiskSpace

        public var description: String {
            """
            The hub's disk is nearly full: \(space.free.formatted(.byteCount(style: .file))) are free, and the last \
            \(space.reserve.formatted(.byteCount(style: .file))) are reserved for commands. Free space on it, then try again.
            """
        }
    }
}

extension DiskSpace {
    /// The file system of a folder; nil if it cannot be measured.
    public init?(fileSystemOf folder: URL) {
        var about = statvfs()
        guard statvfs(folder.path, &about) == 0 else { return nil }
        let blockSize = UInt64(clamping: about.f_frsize)
        func bytes(_ blocks: UInt64) -> Int64 {
            let (bytes, isTooLarge) = blocks.multipliedReportingOverflow(by: blockSize)
            return isTooLarge ? .max : Int64(clamping: bytes)
        }
        self.init(free: bytes(UInt64(clamping: about.f_bavail)), size: bytes(UInt64(clamping: about.f_blocks)))
    }
}
