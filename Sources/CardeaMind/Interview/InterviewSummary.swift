import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// One of somebody's interviews, in short.
public struct InterviewSummary: Sendable {
    public let id: String
    public let status: Interview.Status
    public let phase: Interview.Phase
    public let progress: Interview.Progress
    public let startedAt: Date
    public let changedAt: Date
}
