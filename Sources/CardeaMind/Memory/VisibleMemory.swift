import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// A memory as an requester sees it.
public struct VisibleMemory: Hashable, Sendable {
    public let memory: Memory
    /// From 1 on, increased with every change; 0 for entries that are not stored as memories but made anew each time: habits, events and
    /// hourly readings.
    public let version: Int
    /// A person's correction of the habit, with its author.
    public let correction: AttributedHabitCorrection?
    /// True if the requester may change it.
    public let canChange: Bool
    /// The name of the person who told it.
    public let authorName: String?
    /// True if the text depends on the reader's temperature unit.
    public let containsTemperatures: Bool

    /// True if the same version has the same text for every reader at any time.
    public var hasStableText: Bool { version > 0 && !containsTemperatures }
}
