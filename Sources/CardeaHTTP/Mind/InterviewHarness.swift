import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSenses
import CardeaStore
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/interview`: new devices are taken in through a conversation.
struct InterviewHarness: Sendable {
    let hub: Hub
    let mind: Mind

    func add(to table: RouteTable) {
        table.person(.startInterview, start)
        table.person(.listInterviews, list)
        table.person(.sayInInterview, say)
        table.person(.showInterview, show)
        table.person(.showConversation, conversation)
        table.person(.confirmCandidates, confirm)
        table.person(.pauseInterview, pause)
        table.person(.resumeInterview, resume)
        table.person(.cancelInterview, cancel)
    }

    // MARK: Looking

    private func list(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let person = try await hub.insight.asker(principal, needing: .addDevices)
        return try .encoding(InterviewsAnswer(interviews: try await mind.interviews.all(of: person.id).map(InterviewWire.summary)))
    }

    func show(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let kept = try await kept(context, principal)
        if request.knows(version: kept.version) { return .notModified(kept.version) }
        return try .encoding(InterviewWire.status(kept)).tagged(kept.version)
    }

    private func conversation(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let kept = try await kept(context, principal)
        if request.knows(version: kept.version) { return .notModified(kept.version) }
        return try .encoding(InterviewWire.conversation(kept.interview)).tagged(kept.version)
    }

    private func kept(_ context: HouseContext, _ principal: Principal) async throws -> KeptInterview {
        let person = try await hub.insight.asker(principal, needing: .addDevices)
        return try await mind.interviews.one(try context.id(), of: person.id)
    }

    // MARK: Talking

    func start(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        _ = try await request.maybe(StartInterviewBody.self)
        let (speaker, record) = try await speaker("interview.start", context, principal)
        let (answer, isNew) = try await mind.interviews.start(
            id: "interview_" + hub.surroundings.newID(), by: speaker, record: record)
        return try .encoding(InterviewWire.started(answer), status: isNew ? .created : .ok).tagged(answer.kept.version)
    }

    func say(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(InterviewMessageBody.self)
        guard (1...InterviewMessageBody.longest).contains(body.message.unicodeScalars.count) else {
            throw Problem.validation("message", "has 1 to \(InterviewMessageBody.longest) characters")
        }
        let (speaker, record) = try await speaker("interview.say", context, principal)
        let preferences = try await hub.preferences.preferences(of: principal)
        return try reply(
            await mind.interviews.message(
                body.message, to: try context.id(), seen: try request.seen(), by: speaker, record: record
            ) { question in
                let reply = try await mind.answer(question, in: "interview", seenBy: speaker.sight, preferences: preferences)
                return reply.confidence > 0 ? reply.response : nil
            })
    }

    private func confirm(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.maybe(ConfirmCandidatesBody.self) ?? ConfirmCandidatesBody()
        for (name, ids) in [("candidate_ids", body.candidateIDs), ("reject", body.reject)] {
            guard ids?.count ?? 0 <= ConfirmCandidatesBody.most else {
                throw Problem.validation(name, "has at most \(ConfirmCandidatesBody.most) entries")
            }
        }
        let (speaker, record) = try await speaker("interview.confirm", context, principal)
        return try reply(
            await mind.interviews.confirm(
                body.candidateIDs, reject: body.reject ?? [], of: try context.id(), seen: try request.seen(), by: speaker, record: record))
    }

    private func pause(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let (speaker, record) = try await speaker("interview.pause", context, principal)
        let kept = try await mind.interviews.pause(try context.id(), seen: try request.seen(), by: speaker, record: record)
        return try .encoding(InterviewWire.status(kept)).tagged(kept.version)
    }

    private func resume(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let (speaker, record) = try await speaker("interview.resume", context, principal)
        return try reply(
            await mind.interviews.resume(try context.id(), seen: try request.seen(), by: speaker, record: record))
    }

    private func cancel(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let (speaker, record) = try await speaker("interview.cancel", context, principal)
        try await mind.interviews.cancel(try context.id(), seen: try request.seen(), by: speaker, record: record)
        return .noContent
    }

    /// Whoever may take devices in, with what they may be told and the hands that do it for them; that somebody else may not is on record.
    private func speaker(
        _ action: String, _ context: HouseContext, _ principal: Principal
    ) async throws -> (Interviews.Speaker, Recorder) {
        let person = try await hub.insight.asker(principal, for: action, needing: .addDevices, origin: context.origin)
        let hands = HouseHands(hub, of: person, by: principal, origin: context.origin)
        return (
            Interviews.Speaker(personID: person.id, sight: Sight(of: person), hands: hands),
            hub.insight.recorder(action, by: principal, origin: context.origin)
        )
    }

    private func reply(_ answer: Interviews.Answer) throws -> Response {
        try .encoding(InterviewWire.reply(answer)).tagged(answer.kept.version)
    }
}

extension Request {
    /// A body that may be left out.
    fileprivate func maybe<Body: Wire.Body>(_ type: Body.Type) async throws -> Body? {
        let data = try await bytes()
        return data.isEmpty ? nil : try Wire.readBody(type, from: try await jsonBytes())
    }
}
