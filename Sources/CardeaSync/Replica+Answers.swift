import CardeaAPI
import CardeaClient
import Foundation

/// An answer, and where it is an old one, why.
public struct LatestAnswer<Answer: Sendable>: Sendable {
    public let value: Answer
    /// When the house was asked.
    public let asOf: Date
    /// Why the house was not asked again; nil where it was, or needed not be.
    public let problem: ClientError?
}

extension Replica {
    /// What the house answers; where it cannot be reached, what it answered last.
    ///
    /// - Parameter age: how old an answer may be that is taken without asking, in seconds; nil for the question's own `ttl`.
    public func answer<Answer>(_ question: Question<Answer>, atMost age: TimeInterval? = nil) async throws -> LatestAnswer<Answer> {
        let asked = surroundings.now()
        let kept = try await kept(question, at: asked)
        // By a clock that was set back meanwhile, nobody knows how old it is.
        if let kept, abs(asked.timeIntervalSince(kept.asOf)) < age ?? question.ttl { return kept }
        let erasures = try await store.read { try Erased.count(in: $0) }
        do {
            let answer = try await question.ask(client, asked)
            try await keep(answer, to: question, askedAt: asked, after: erasures)
            return LatestAnswer(value: answer, asOf: asked, problem: nil)
        } catch let error as ClientError {
            if error.saysErased { try await takeOutEverything() }
            if error.takesAnswerBack { try await answers.forget(question.name) }
            guard error.saysHouseIsAway, let kept else { throw error }
            return LatestAnswer(value: kept.value, asOf: kept.asOf, problem: error)
        }
    }

    private func kept<Answer>(_ question: Question<Answer>, at now: Date) async throws -> LatestAnswer<Answer>? {
        guard let kept = try await answers.answer(to: question.name, at: now) else { return nil }
        do {
            return LatestAnswer(value: try Wire.read(Answer.self, from: kept.json), asOf: kept.askedAt, problem: nil)
        } catch {
            // As an earlier version of this program understood it.
            try await answers.forget(question.name)
            return nil
        }
    }

    private func keep<Answer>(_ answer: Answer, to question: Question<Answer>, askedAt: Date, after erasures: Int) async throws {
        let kept = KeptAnswer(
            json: try Wire.encode(answer), priority: question.priority, askedAt: askedAt,
            keepUntil: askedAt.addingTimeInterval(question.keeps), lists: question.lists)
        try await answers.keep(kept, to: question.name, at: surroundings.now(), after: erasures)
    }
}

extension ClientError {
    /// Whether the house said that this is not, or no longer, for whoever asks.
    var takesAnswerBack: Bool {
        if case .api(let error) = self { [403, 404, 410].contains(error.status) } else { self == .unauthorized }
    }
}
