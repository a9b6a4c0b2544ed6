import CardeaAPI
import CardeaMind
import CardeaModel
import Foundation

/// Interviews in `/api/v1`'s words.
enum InterviewResponses {
    static func started(_ answer: Interviews.Answer) -> InterviewStartedAnswer {
        let interview = answer.stored.interview
        return InterviewStartedAnswer(
            interviewID: interview.id, status: interview.status.rawValue, currentPhase: interview.phase.rawValue, aiMessage: answer.text,
            sessionStartedAt: Date(milliseconds: interview.startedAt), version: answer.stored.version)
    }

    static func reply(_ answer: Interviews.Answer) -> InterviewReplyAnswer {
        let interview = answer.stored.interview
        let names = Dictionary(interview.discovered.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let changed = Set(answer.candidates)
        return InterviewReplyAnswer(
            aiResponse: answer.text, status: interview.status.rawValue, currentPhase: interview.phase.rawValue,
            discoveredCandidates: interview.candidates.filter { changed.contains($0.id) }.map { candidate($0, of: interview, names) },
            autoDiscoveryResults: discoveries(interview),
            createdDevices: answer.createdDevices.map { taken in
                CreatedDeviceAnswer(
                    candidateID: taken.candidateID, deviceID: taken.deviceID, name: taken.name, status: taken.status.rawValue,
                    nextSteps: taken.nextSteps)
            }, progress: progress(interview.progress), version: answer.stored.version)
    }

    static func status(_ stored: StoredInterview) -> InterviewStatusAnswer {
        let interview = stored.interview
        let names = Dictionary(interview.discovered.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        return InterviewStatusAnswer(
            interviewID: interview.id, status: interview.status.rawValue, currentPhase: interview.phase.rawValue,
            progress: progress(interview.progress),
            conversationSummary: .init(
                totalTurns: interview.totalTurns, lastActivity: Date(milliseconds: interview.lastActivityAt)),
            candidates: interview.candidates.map { candidate($0, of: interview, names) }, notes: interview.notes.map(note),
            version: stored.version)
    }

    static func conversation(_ interview: Interview) -> InterviewConversationAnswer {
        InterviewConversationAnswer(
            interviewID: interview.id,
            turns: interview.conversation.map { turn in
                .init(speaker: turn.speaker.rawValue, text: turn.text, timestamp: Date(milliseconds: turn.at))
            }, totalTurns: interview.totalTurns)
    }

    static func summary(_ summary: InterviewSummary) -> InterviewSummaryAnswer {
        InterviewSummaryAnswer(
            interviewID: summary.id, status: summary.status.rawValue, currentPhase: summary.phase.rawValue,
            sessionStartedAt: summary.startedAt, lastActivity: summary.changedAt, progress: progress(summary.progress))
    }

    private static func progress(_ progress: Interview.Progress) -> InterviewProgress {
        InterviewProgress(
            totalDevicesMentioned: progress.totalDevicesMentioned, devicesConfirmed: progress.devicesConfirmed,
            devicesPending: progress.devicesPending, completionPercentage: progress.completionPercentage)
    }

    private static func candidate(
        _ candidate: Interview.Candidate, of interview: Interview, _ names: [String: String]
    ) -> CandidateAnswer {
        CandidateAnswer(
            id: candidate.id, status: candidate.status.rawValue, description: interview.describe(candidate),
            detectedBrand: candidate.brand, detectedFunction: candidate.function, detectedModel: candidate.model,
            room: candidate.room?.name, count: candidate.count, confidence: candidate.confidence,
            possibleIntegrations: candidate.possibleIntegrations, matched: candidate.matched.compactMap { names[$0] },
            missing: candidate.missing.map(\.rawValue), createdDeviceIDs: candidate.createdDeviceIDs)
    }

    private static func note(_ note: Interview.Note) -> NoteAnswer {
        NoteAnswer(
            noteID: note.id, text: note.text, count: note.count, room: note.room?.name, writtenAt: Date(milliseconds: note.writtenAt),
            supersededAt: note.supersededAt.map(Date.init(milliseconds:)), supersededBecause: note.supersededBecause)
    }

    private static func discoveries(_ interview: Interview) -> DiscoveryResults {
        var results = DiscoveryResults()
        for thing in interview.discovered {
            switch thing.source {
            case .mdns: results.mdns.append(thing.name)
            case .mqtt: results.mqtt.append(thing.name)
            case .homeAssistant: results.homeAssistant.append(thing.name)
            case .virtual: results.virtual.append(thing.name)
            // A person named it; discovery did not find it.
            case .planned: break
            }
        }
        return results
    }
}
