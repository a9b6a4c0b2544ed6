import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import CardeaStore
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/interview`: adds new devices through a conversation.
struct InterviewController: Sendable {
    let hub: Hub
    let mind: Mind

    func addRoutes(to table: RouteTable) {
        table.person(.startInterview, start)
        table.person(.listInterviews, list)
        table.person(.sayInInterview, sendMessage)
        table.person(.showInterview, show)
        table.person(.showConversation, conversation)
        table.person(.confirmCandidates, confirm)
        table.person(.pauseInterview, pause)
        table.person(.resumeInterview, resume)
        table.person(.cancelInterview, cancel)
    }

    // MARK: Reading

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let person = try await hub.mindFeed.requester(principal, needing: .addDevices)
        return try .encoding(InterviewsAnswer(interviews: try await mind.interviews.all(of: person.id).map(InterviewResponses.summary)))
    }

    func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let stored = try await interview(context, principal)
        if request.hasCached(version: stored.version) { return .notModified(stored.version) }
        return try .encoding(InterviewResponses.status(stored)).withETag(stored.version)
    }

    private func conversation(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let stored = try await interview(context, principal)
        if request.hasCached(version: stored.version) { return .notModified(stored.version) }
        return try .encoding(InterviewResponses.conversation(stored.interview)).withETag(stored.version)
    }

    private func interview(_ context: HubRequestContext, _ principal: Principal) async throws -> StoredInterview {
        let person = try await hub.mindFeed.requester(principal, needing: .addDevices)
        return try await mind.interviews.one(try context.id(), of: person.id)
    }

    // MARK: Messages

    func start(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await request.decodeBodyIfPresent(StartInterviewBody.self)
        let (speaker, record) = try await speaker("interview.start", context, principal)
        let (answer, isNew) = try await mind.interviews.start(
            id: "interview_" + hub.environment.newID(), by: speaker, record: record)
        return try .encoding(InterviewResponses.started(answer), status: isNew ? .created : .ok).withETag(answer.stored.version)
    }

    func sendMessage(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(InterviewMessageBody.self)
        guard (1...InterviewMessageBody.maxLength).contains(body.message.unicodeScalars.count) else {
            throw APIResponseError.validation("message", "must have 1 to \(InterviewMessageBody.maxLength) characters")
        }
        let (speaker, record) = try await speaker("interview.say", context, principal)
        let preferences = try await hub.preferences.preferences(of: principal)
        return try reply(
            await mind.interviews.message(
                body.message, to: try context.id(), seen: try request.expectedVersion(), by: speaker, record: record
            ) { question in
                let reply = try await mind.answer(question, in: "interview", seenBy: speaker.visibility, preferences: preferences)
                return reply.confidence > 0 ? reply.response : nil
            })
    }

    private func confirm(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBodyIfPresent(ConfirmCandidatesBody.self) ?? ConfirmCandidatesBody()
        for (name, ids) in [("candidate_ids", body.candidateIDs), ("reject", body.reject)] {
            guard ids?.count ?? 0 <= ConfirmCandidatesBody.maxCandidates else {
                throw APIResponseError.validation(name, "must have at most \(ConfirmCandidatesBody.maxCandidates) entries")
            }
        }
        let (speaker, record) = try await speaker("interview.confirm", context, principal)
        return try reply(
            await mind.interviews.confirm(
                body.candidateIDs, reject: body.reject ?? [], of: try context.id(), seen: try request.expectedVersion(), by: speaker,
                record: record))
    }

    private func pause(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let (speaker, record) = try await speaker("interview.pause", context, principal)
        let stored = try await mind.interviews.pause(try context.id(), seen: try request.expectedVersion(), by: speaker, record: record)
        return try .encoding(InterviewResponses.status(stored)).withETag(stored.version)
    }

    private func resume(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let (speaker, record) = try await speaker("interview.resume", context, principal)
        return try reply(
            await mind.interviews.resume(try context.id(), seen: try request.expectedVersion(), by: speaker, record: record))
    }

    private func cancel(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let (speaker, record) = try await speaker("interview.cancel", context, principal)
        try await mind.interviews.cancel(try context.id(), seen: try request.expectedVersion(), by: speaker, record: record)
        return .noContent
    }

    /// The participant of an interview, with what they may see and the actuator that acts for them. It requires the right to add devices; a
    /// refusal is recorded in the audit log.
    private func speaker(
        _ action: String, _ context: HubRequestContext, _ principal: Principal
    ) async throws -> (Interviews.Participant, ChangeRecorder) {
        let person = try await hub.mindFeed.requester(principal, for: action, needing: .addDevices, origin: context.origin)
        let actuator = HubInterviewActuator(hub, of: person, by: principal, origin: context.origin)
        return (
            Interviews.Participant(personID: person.id, visibility: RequesterVisibility(of: person), actuator: actuator),
            hub.mindFeed.recorder(action, by: principal, origin: context.origin)
        )
    }

    private func reply(_ answer: Interviews.Answer) throws -> Response {
        try .encoding(InterviewResponses.reply(answer)).withETag(answer.stored.version)
    }
}

extension Request {
    /// A body that may be left out.
    fileprivate func decodeBodyIfPresent<Body: WireFormat.Body>(_ type: Body.Type) async throws -> Body? {
        let data = try await bodyData()
        return data.isEmpty ? nil : try WireFormat.readBody(type, from: try await jsonBody())
    }
}
