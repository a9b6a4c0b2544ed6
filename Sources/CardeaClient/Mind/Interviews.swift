import CardeaAPI
import Foundation

/// Conversations in which new devices are taken in. One's own, and one at a time.
///
///     let begun = try await client.interviews.start()
///     let reply = try await client.interviews.say("Two Hue lamps over the sofa", to: begun.interviewID, seen: begun.version)
///     let made = try await client.interviews.confirm(in: begun.interviewID).createdDevices
public struct Interviews: Sendable {
    let caller: AuthenticatedClient

    /// Begins one, or goes on with the one that is not over.
    ///
    /// - Parameter key: the call's own name, where it may have been asked for before.
    public func start(key: String? = nil) async throws(ClientError) -> InterviewStartedAnswer {
        try await caller.read(.write(.post, ["api", "v1", "interview", "start"], key: key ?? caller.newIdempotencyKey))
    }

    /// One's own, the latest first.
    public func list() async throws(ClientError) -> InterviewsAnswer {
        try await caller.read(.get("api", "v1", "interview"))
    }

    /// How far it is, what was spoken of, and what was noted.
    public func status(_ id: String) async throws(ClientError) -> InterviewStatusAnswer {
        try await caller.read(.get("api", "v1", "interview", .id(id), "status"))
    }

    /// What was said, oldest first.
    public func conversation(_ id: String) async throws(ClientError) -> InterviewConversationAnswer {
        try await caller.read(.get("api", "v1", "interview", .id(id), "conversation"))
    }

    /// Says what there is, or answers what was asked.
    ///
    /// - Parameters:
    ///   - message: 1 to 2000 characters.
    ///   - seen: the version the conversation was in when somebody spoke; refused with `precondition_failed` where it is another now.
    ///   - key: the call's own name, where it may have been asked for before.
    public func sendMessage(
        _ message: String, to id: String, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> InterviewReplyAnswer {
        var call = try APICall.write(
            .post, ["api", "v1", "interview", .id(id), "message"], InterviewMessageBody(message: message),
            key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Takes candidates in, and leaves others out. Without any, all that are open are taken in.
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

    /// Goes on with one that was paused.
    public func resume(_ id: String) async throws(ClientError) -> InterviewReplyAnswer {
        try await caller.read(.write(.post, ["api", "v1", "interview", .id(id), "resume"], key: caller.newIdempotencyKey))
    }

    /// Ends it. What was confirmed stays.
    public func cancel(_ id: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "interview", .id(id)], key: caller.newIdempotencyKey))
    }
}
