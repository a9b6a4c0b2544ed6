import CardeaAPI
import CardeaModel
import Foundation

/// Conversation with the house: questions, answers and mood.
public struct Mind: Sendable {
    let caller: AuthenticatedClient

    /// Asks the house a question or for an action, in plain words. Asking does nothing: a possible action is only suggested.
    ///
    /// - Parameters:
    ///   - query: 1 to 1000 characters.
    ///   - conversation: tells several conversations apart; the last sentences of one decide what "it" and "there" mean.
    public func ask(_ query: String, in conversation: String? = nil) async throws(ClientError) -> HouseReplyAnswer {
        let context: [String: JSONValue]? = conversation.map { ["conversation": .string($0)] }
        var call = try APICall.write(.post, ["api", "v1", "consciousness", "query"], AskHouseBody(query: query, context: context))
        call.isIdempotent = true
        return try await caller.read(call)
    }

    /// Asks a question that was queued for the house. The answer is for the present, and suggests no action.
    ///
    /// - Parameters:
    ///   - askedAt: when the person asked it.
    ///   - key: the idempotency key, under which the house accepts it once.
    public func ask(_ query: String, askedAt: Date, key: String) async throws(ClientError) -> HouseReplyAnswer {
        let body = AskHouseBody(query: query, context: [AskHouseBody.askedAt: .string(Timestamp.text(askedAt))])
        return try await caller.read(.write(.post, ["api", "v1", "consciousness", "query"], body, key: key))
    }

    /// The status of the house, and its level of awareness.
    public func status() async throws(ClientError) -> ConsciousnessAnswer {
        try await caller.read(.get("api", "v1", "consciousness", "status"))
    }

    /// The mood with its causes, and its history within the last `span`.
    ///
    /// - Parameter span: the length of the history in seconds, rounded up to minutes; an hour if omitted.
    public func emotions(last span: TimeInterval = 3600) async throws(ClientError) -> EmotionsAnswer {
        let minutes = Int(min(max(span / 60, 1), 9999).rounded(.up))
        return try await caller.read(.get("api", "v1", "consciousness", "emotions", query: [("time_range", "\(minutes)m")]))
    }
}

extension Mind {
    /// The loops in which the house senses, analyses, answers and learns.
    public func loops() async throws(ClientError) -> LoopsAnswer { try await caller.read(.get("api", "v1", "safla", "status")) }

    /// Runs a loop once now.
    ///
    /// - Parameter leavingSafeMode: it may answer and learn again.
    public func trigger(_ loopID: String, leavingSafeMode: Bool = false) async throws(ClientError) -> TriggeredLoopAnswer {
        let body = TriggerLoopBody(loopID: loopID, leavesSafeMode: leavingSafeMode)
        return try await caller.read(.write(.post, ["api", "v1", "safla", "trigger"], body, key: caller.newIdempotencyKey))
    }

    /// The memories of the house.
    public var memories: Memories { Memories(caller: caller) }
}
