import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import GRDB

extension OutboxEntry {
    /// The late answer; nil unless the operation is an answered question.
    public var lateAnswer: LateAnswer? {
        guard case .question(let words) = operation, case .ended(let ending) = status, ending.kind == .answered else { return nil }
        return LateAnswer(id: id, query: words, response: ending.reason, askedAt: madeAt, answeredAt: ending.at ?? madeAt)
    }
}

extension Replica {
    public enum QuestionResult: Sendable {
        case answered(HouseReplyAnswer)
        /// The question waits here. `known` has the stored states of the devices that it names.
        case queued(OutboxEntry, known: Dated<[LastKnownState]>)
    }

    /// Asks the house in plain words. Where it cannot be reached, the question is kept for a day and asked once; its answer comes late, as
    /// one of `lateAnswers`, and suggests nothing.
    public func ask(_ query: String, in conversation: String? = nil) async throws -> QuestionResult {
        do {
            return .answered(try await client.mind.ask(query, in: conversation))
        } catch {
            guard error.isNoConnection else { throw error }
            let entry = try await add(environment.makeIdempotencyKey(), .question(query), lasts: Self.questionLifetime)
            let rooms = try await rooms().value
            return .queued(entry, known: try await devices().map { LastKnownState.mentioned(in: query, among: $0, rooms: rooms) })
        }
    }

    private static var questionLifetime: Double { 24 * 3600 }

    /// The answers to queued questions, until they are dismissed.
    public func lateAnswers() async throws -> [LateAnswer] {
        let outbox = outbox
        return try await store.read { try outbox.endedEntries(in: $0).compactMap(\.lateAnswer) }
    }

    /// Deletes answers that were read.
    public func dismiss(_ answers: [LateAnswer]) async throws {
        let outbox = outbox
        try await store.write { db in for answer in answers { try outbox.remove(answer.id, in: db) } }
    }
}

extension Outbox {
    /// Answers may contain data of any person.
    func removeLateAnswers(in db: Database) throws {
        for entry in try endedEntries(in: db) where entry.lateAnswer != nil { try remove(entry.id, in: db) }
    }
}
