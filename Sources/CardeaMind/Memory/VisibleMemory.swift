import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// A memory as somebody sees it.
public struct VisibleMemory: Hashable, Sendable {
    public let memory: Memory
    /// From 1 on, with every change; 0 for what is not kept as a memory but found and told anew each time: habits, what happened and the hours
    /// of sensors.
    public let version: Int
    /// What a person said of a habit, by whom.
    public let correction: CorrectedHabit?
    /// Whether they may change it.
    public let canChange: Bool
    /// The name of whoever told it.
    public let authorName: String?
    /// Whether it is kept with words that are other ones to who reads temperatures otherwise.
    public let containsTemperatures: Bool

    /// Whether the same version means the same words, whoever reads it and whenever.
    public var hasStableText: Bool { version > 0 && !containsTemperatures }
}
