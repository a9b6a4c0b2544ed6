import CardeaAPI
import Foundation

/// Conversations that add new devices. A person sees only their own, and has one at a time.
///
///     let begun = try await client.interviews.start()
///     let reply = try await client.interviews.sendMessage("Two Hue lamps over the sofa", to: begun.interviewID, seen: begun.version)
///     let made = try await client.interviews.confirm(in: begun.interviewID).createdDevices
public struct DeviceInterviews: Sendable {
    let caller: AuthenticatedClient

    /// Starts one, or continues the open one.
    ///
    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func start(key: String? = nil) async throws(ClientError) -> InterviewStartedAnswer {
        try await caller.read(.write(.post, ["api", "v1", "interview", "start"], key: key ?? caller.newIdempotencyKey))
    }

    /// One's own, the latest first.
    public func list() async throws(ClientError) -> InterviewsAnswer {
        try await caller.read(.get("api", "v1", "interview"))
    }

    /// The progress, the topics and the noted devices.
    public func status(_ id: String) async throws(ClientError) -> InterviewStatusAnswer {
        try await caller.read(.get("api", "v1", "interview", .id(id), "status"))
    }

    /// The messages of the conversation, oldest first.
    public func conversation(_ id: String) async throws(ClientError) -> InterviewConversationAnswer {
        try await caller.read(.get("api", "v1", "interview", .id(id), "conversation"))
    }

    /// Sends a message that describes devices or answers a question.
    ///
    /// - Parameters:
    ///   - message: 1 to 2000 characters.
    ///   - seen: the version of the conversation that the person saw; refused with `precondition_failed` if it has changed since.
    ///   - key: the idempotency key, if the call may have been sent before.
    public func sendMessage(
        _ message: String, to id: String, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> InterviewReplyAnswer {
        var call = try APICall.write(
            .post, ["api", "v1", "interview", .id(id), "message"], InterviewMessageBody(message: message),
            key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Confirms some candidates and rejects others. Without a list, all open candidates are confirmed.
    public func confirm(
        _ candidates: [String]? = nil, reject: [String]? = nil, in id: String, seen: Int? = nil
    ) async throws(ClientError) -> InterviewReplyAnswer {
        let body = ConfirmCandidatesBody(candidateIDs: candidates, reject: reject)
        var call = try APICall.write(.post, ["api", "v1", "interview", .id(id), "confirm"], body, key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Leaves it as it is, to go on with it later.
    public func pause(_ id: String) async throws(ClientError) -> InterviewStatusAnswer {
        try await caller.read(.write(.post, ["api", "v1", "interview", .id(id), "pause"], key: caller.newIdempotencyKey))
    }

    /// Resumes a paused conversation.
    public func resume(_ id: String) async throws(ClientError) -> InterviewReplyAnswer {
        try await caller.read(.write(.post, ["api", "v1", "interview", .id(id), "resume"], key: caller.newIdempotencyKey))
    }

    /// Ends the conversation. Confirmed devices stay.
    public func cancel(_ id: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "interview", .id(id)], key: caller.newIdempotencyKey))
    }
}
