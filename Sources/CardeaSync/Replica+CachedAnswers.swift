import CardeaAPI
import CardeaClient
import Foundation

extension Replica {
    /// The house's answer; if it cannot be reached, its last stored answer.
    ///
    /// - Parameter age: the maximum age in seconds at which a stored answer is used without asking; nil for the query's own `ttl`.
    public func answer<Answer>(_ question: CacheableQuery<Answer>, atMost age: TimeInterval? = nil) async throws -> LatestAnswer<Answer> {
        let asked = environment.now()
        let cached = try await cachedAnswer(question, at: asked)
        // If the clock was set back meanwhile, the age is not known.
        if let cached, abs(asked.timeIntervalSince(cached.asOf)) < age ?? question.ttl { return cached }
        let erasures = try await store.read { try ReplicaErasure.count(in: $0) }
        do {
            let answer = try await question.fetch(client, asked)
            try await cacheAnswer(answer, to: question, askedAt: asked, after: erasures)
            return LatestAnswer(value: answer, asOf: asked, problem: nil)
        } catch let error as ClientError {
            if error.isPersonErased { try await eraseEverything() }
            if error.invalidatesCachedAnswer { try await answers.remove(question.name) }
            guard error.isHubUnreachable, let cached else { throw error }
            return LatestAnswer(value: cached.value, asOf: cached.asOf, problem: error)
        }
    }

    private func cachedAnswer<Answer>(_ question: CacheableQuery<Answer>, at now: Date) async throws -> LatestAnswer<Answer>? {
        guard let cached = try await answers.answer(to: question.name, at: now) else { return nil }
        do {
            return LatestAnswer(value: try WireFormat.read(Answer.self, from: cached.json), asOf: cached.askedAt, problem: nil)
        } catch {
            // Stored by an earlier version in another format.
            try await answers.remove(question.name)
            return nil
        }
    }

    private func cacheAnswer<Answer>(_ answer: Answer, to question: CacheableQuery<Answer>, askedAt: Date, after erasures: Int) async throws
    {
        let cached = CachedAnswer(
            json: try WireFormat.encode(answer), priority: question.priority, askedAt: askedAt,
            expiresAt: askedAt.addingTimeInterval(question.staleLifetime), lists: question.lists)
        try await answers.insert(cached, to: question.name, at: environment.now(), after: erasures)
    }
}

extension ClientError {
    /// True if the house said that this does not exist, no longer exists, or is not permitted for the caller.
    var invalidatesCachedAnswer: Bool {
        if case .api(let error) = self { [403, 404, 410].contains(error.status) } else { self == .unauthorized }
    }
}
