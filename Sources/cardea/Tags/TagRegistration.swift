import CardeaAPI
import CardeaClient

/// A tag in the house's books while it is written: told of before, believed after it was read back, forgotten where that came to nothing.
struct TagRegistration {
    let client: CardeaClient
    let newTag: NewTagAnswer

    /// The house's name for it.
    var tagID: String { newTag.tagID ?? "" }

    /// Before the house is told once more what was read back.
    private static let retryDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    /// However long the house asks to be left alone.
    private static let maxRetryDelay = Duration.seconds(30)

    /// - Parameter replaced: the tag whose place it takes, once it is written.
    static func begin(_ body: AddTagBody, replacing replaced: TagAnswer?, at client: CardeaClient) async throws -> TagRegistration {
        var body = body
        body.pending = true
        body.replaces = replaced?.tagID
        return TagRegistration(client: client, newTag: try await client.tags.add(body))
    }

    /// Says what was read back, a few times where the house does not answer: told twice, it does it once. Only where it says no is the tag
    /// forgotten. After an answer that was lost it may be believed, and the one whose place it takes gone: it is left to the house, where
    /// one that was not believed goes by itself.
    ///
    /// - Parameter url: what was read back.
    func finish(readBack url: String, _ output: Output) async throws -> TagAnswer {
        var pauses = Self.retryDelays[...]
        while true {
            do {
                return try await client.tags.promote(tagID, readBack: url)
            } catch {
                if Self.isRejection(error) {
                    await delete(output)
                    throw error
                }
                guard Self.isRetryable(error), let pause = pauses.popFirst() else {
                    output.note(
                        """
                        The tag is written, but the house has not said that it believes it. It may press its button already: see \
                        `cardea tags`. If it does not, the house forgets it within a quarter of an hour.
                        """)
                    throw error
                }
                output.progress("The house does not answer as it should. It is asked again…")
                try await Task.sleep(for: max(pause, min(Self.retryAfter(of: error), Self.maxRetryDelay)))
            }
        }
    }

    /// Whether the house has certainly not believed the tag, and will not.
    private static func isRejection(_ error: ClientError) -> Bool {
        guard case .api(let refusal) = error else { return false }
        return refusal.isFromHub && [400, 404, 409].contains(refusal.status) && !refusal.isRetryable
    }

    private static func isRetryable(_ error: ClientError) -> Bool {
        switch error {
        case .api(let refusal): refusal.isRetryable || refusal.status >= 500
        case .invalidResponse: true
        default: error.isRetryable
        }
    }

    /// How long the house asks to be left alone.
    private static func retryAfter(of error: ClientError) -> Duration {
        switch error {
        case .api(let refusal): refusal.retryAfter ?? .zero
        case .circuitOpen(_, let retryAfter): retryAfter
        default: .zero
        }
    }

    /// Does `work`; where that fails the house forgets the tag, so that nothing presses anything that nobody holds.
    func deletingOnFailure<Answer>(_ output: Output, _ work: () async throws -> Answer) async throws -> Answer {
        do {
            return try await work()
        } catch {
            await delete(output)
            throw error
        }
    }

    private func delete(_ output: Output) async {
        do {
            try await client.tags.remove(tagID)
        } catch ClientError.api(let refusal) where refusal.status == 404 {
            // It is forgotten already.
        } catch {
            output.note(
                "The house still waits for the tag that was not written. It does nothing, and is forgotten in a quarter of an hour.")
        }
    }
}
