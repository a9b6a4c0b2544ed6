import CardeaAPI
import CardeaClient

/// The registration of a tag while it is written: pending before, active after it was read back, deleted if the writing failed.
struct TagRegistration {
    let client: CardeaClient
    let newTag: NewTagAnswer

    /// The house's name for it.
    var tagID: String { newTag.tagID ?? "" }

    /// The pauses before reporting the read-back again.
    private static let retryDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    /// The maximum wait, whatever the house asks for.
    private static let maxRetryDelay = Duration.seconds(30)

    /// - Parameter replaced: the tag that it replaces once it is written.
    static func begin(_ body: AddTagBody, replacing replaced: TagAnswer?, at client: CardeaClient) async throws -> TagRegistration {
        var body = body
        body.pending = true
        body.replaces = replaced?.tagID
        return TagRegistration(client: client, newTag: try await client.tags.add(body))
    }

    /// Reports the data read back, and tries a few times if the house does not answer: a repeated report is applied once. The tag is
    /// deleted only if the house refuses. After a lost answer the tag may be active and the replaced one gone: it is left to the house,
    /// where a tag that is not active expires.
    ///
    /// - Parameter url: the link read back.
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
                        The tag is written, but the hub has not confirmed it. It may already press its button: see \
                        `cardea tags`. Otherwise it is deleted within 15 minutes.
                        """)
                    throw error
                }
                output.progress("The hub did not answer correctly. Trying again…")
                try await Task.sleep(for: max(pause, min(Self.retryAfter(of: error), Self.maxRetryDelay)))
            }
        }
    }

    /// True if the house certainly rejected the tag and will not accept it later.
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

    /// The wait that the house asks for.
    private static func retryAfter(of error: ClientError) -> Duration {
        switch error {
        case .api(let refusal): refusal.retryAfter ?? .zero
        case .circuitOpen(_, let retryAfter): retryAfter
        default: .zero
        }
    }

    /// Runs `work`; if that fails, deletes the tag in the house, so that no unused tag stays valid.
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
            // The tag is deleted already.
        } catch {
            output.note(
                "The unwritten tag is still listed in the house. It does nothing, and is deleted after 15 minutes.")
        }
    }
}
