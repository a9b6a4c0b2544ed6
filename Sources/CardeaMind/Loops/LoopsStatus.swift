import Foundation

/// All loops together (`GET /safla/status`).
public struct LoopsStatus: Codable, Hashable, Sendable {
    /// The number of running loops, including those in safe mode.
    public let activeLoops: Int
    public let loops: [LoopStatus]

    public init(_ loops: [MindLoop], at now: Date) {
        self.loops = loops.map { $0.status(at: now) }
        activeLoops = loops.filter { $0.state == .running || $0.state == .safeMode }.count
    }
}
