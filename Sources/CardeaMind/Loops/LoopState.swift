import Foundation

/// How a loop stands.
public enum LoopState: String, Codable, Hashable, Sendable, CaseIterable {
    /// It was never started.
    case inactive
    /// It gets ready.
    case initializing
    case running
    /// Somebody holds it.
    case paused
    /// It could not get ready, or what it cannot do without keeps failing.
    case error
    /// Somebody ended it.
    case shutdown
    /// It senses and analyses, and neither feels, nor tells of what is unusual, nor learns, until somebody says that it may. Who asks is answered.
    case safeMode = "safe_mode"
}
