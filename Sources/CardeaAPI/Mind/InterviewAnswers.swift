import Foundation

/// `GET /api/v1/interview`: one's own, the latest first.
public struct InterviewsAnswer: Codable, Sendable {
    public let interviews: [InterviewSummaryAnswer]
    public let total: Int

    public init(interviews: [InterviewSummaryAnswer]) {
        self.interviews = interviews
        total = interviews.count
    }
}

public struct InterviewSummaryAnswer: Codable, Sendable {
    public let interviewID: String
    /// `active`, `paused`, `completed` or `cancelled`.
    public let status: String
    public let currentPhase: String
    public let sessionStartedAt: Date
    public let lastActivity: Date
    public let progress: InterviewProgress

    enum CodingKeys: String, CodingKey {
        case status, progress
        case interviewID = "interview_id"
        case currentPhase = "current_phase"
        case sessionStartedAt = "session_started_at"
        case lastActivity = "last_activity"
    }

    public init(
        interviewID: String, status: String, currentPhase: String, sessionStartedAt: Date, lastActivity: Date, progress: InterviewProgress
    ) {
        self.interviewID = interviewID
        self.status = status
        self.currentPhase = currentPhase
        self.sessionStartedAt = sessionStartedAt
        self.lastActivity = lastActivity
        self.progress = progress
    }
}

/// `GET /api/v1/interview/{id}/status`
public struct InterviewStatusAnswer: Codable, Sendable {
    public let interviewID: String
    public let status: String
    public let currentPhase: String
    public let progress: InterviewProgress
    public let conversationSummary: Summary
    public let candidates: [CandidateAnswer]
    public let notes: [NoteAnswer]
    public let version: Int

    public struct Summary: Codable, Sendable {
        public let totalTurns: Int
        public let lastActivity: Date

        enum CodingKeys: String, CodingKey {
            case totalTurns = "total_turns"
            case lastActivity = "last_activity"
        }

        public init(totalTurns: Int, lastActivity: Date) {
            self.totalTurns = totalTurns
            self.lastActivity = lastActivity
        }
    }

    enum CodingKeys: String, CodingKey {
        case status, progress, candidates, notes, version
        case interviewID = "interview_id"
        case currentPhase = "current_phase"
        case conversationSummary = "conversation_summary"
    }

    public init(
        interviewID: String, status: String, currentPhase: String, progress: InterviewProgress, conversationSummary: Summary,
        candidates: [CandidateAnswer], notes: [NoteAnswer], version: Int
    ) {
        self.interviewID = interviewID
        self.status = status
        self.currentPhase = currentPhase
        self.progress = progress
        self.conversationSummary = conversationSummary
        self.candidates = candidates
        self.notes = notes
        self.version = version
    }
}

/// Something that is not connected, or is to be remembered. What no longer holds is kept with its dates.
public struct NoteAnswer: Codable, Sendable {
    public let noteID: String
    public let text: String
    public let count: Int
    @Nullable public private(set) var room: String?
    public let writtenAt: Date
    /// When it ceased to hold; null while it does.
    @Nullable public private(set) var supersededAt: Date?
    @Nullable public private(set) var supersededBecause: String?

    enum CodingKeys: String, CodingKey {
        case text, count, room
        case noteID = "note_id"
        case writtenAt = "written_at"
        case supersededAt = "superseded_at"
        case supersededBecause = "superseded_because"
    }

    public init(noteID: String, text: String, count: Int, room: String?, writtenAt: Date, supersededAt: Date?, supersededBecause: String?) {
        self.noteID = noteID
        self.text = text
        self.count = count
        self.writtenAt = writtenAt
        self.room = room
        self.supersededAt = supersededAt
        self.supersededBecause = supersededBecause
    }
}

/// `GET /api/v1/interview/{id}/conversation`: what was said, oldest first.
public struct InterviewConversationAnswer: Codable, Sendable {
    public let interviewID: String
    /// The last 200.
    public let turns: [TurnAnswer]
    public let totalTurns: Int

    public struct TurnAnswer: Codable, Sendable {
        /// `person` or `house`.
        public let speaker: String
        public let text: String
        public let timestamp: Date

        public init(speaker: String, text: String, timestamp: Date) {
            self.speaker = speaker
            self.text = text
            self.timestamp = timestamp
        }
    }

    enum CodingKeys: String, CodingKey {
        case turns
        case interviewID = "interview_id"
        case totalTurns = "total_turns"
    }

    public init(interviewID: String, turns: [TurnAnswer], totalTurns: Int) {
        self.interviewID = interviewID
        self.turns = turns
        self.totalTurns = totalTurns
    }
}
