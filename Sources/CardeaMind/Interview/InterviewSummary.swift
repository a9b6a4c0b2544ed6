import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A summary of one interview.
public struct InterviewSummary: Sendable {
    public let id: String
    public let status: Interview.Status
    public let phase: Interview.Phase
    public let progress: Interview.Progress
    public let startedAt: Date
    public let changedAt: Date
}
