import Foundation

/// The state of a loop.
public enum LoopState: String, Codable, Hashable, Sendable, CaseIterable {
    /// It was never started.
    case inactive
    /// It is preparing.
    case initializing
    case running
    /// A person paused it.
    case paused
    /// Preparation failed, or a phase that it needs keeps failing.
    case error
    /// It was ended on request.
    case shutdown
    /// It senses and analyses, but does not feel, report deviations or learn until a person allows it. Questions are answered.
    case safeMode = "safe_mode"
}
