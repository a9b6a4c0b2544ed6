import CardeaAPI
import CardeaClient

/// A tag in the house's books while it is written: told of before, believed after it was read back, forgotten where that came to nothing.
struct TagWriting {
    let client: CardeaClient
    let made: NewTagAnswer

    /// The house's name for it.
    var tagID: String { made.tagID ?? "" }

    /// - Parameter replaced: the tag whose place it takes, once it is written.
    static func begin(_ body: AddTagBody, replacing replaced: TagAnswer?, at client: CardeaClient) async throws -> TagWriting {
        var body = body
        body.pending = true
        body.replaces = replaced?.tagID
        return TagWriting(client: client, made: try await client.tags.add(body))
    }

    /// - Parameter url: what was read back. Where the house does not say whether it has heard of it, the tag is left to it: one that was not
    ///   believed goes by itself.
    func finish(readBack url: String, _ output: Output) async throws -> TagAnswer {
        do {
            return try await client.tags.promote(tagID, readBack: url)
        } catch ClientError.api(let refusal) {
            await forget(output)
            throw ClientError.api(refusal)
        }
    }

    /// Does `work`; where that fails the house forgets the tag, so that nothing presses anything that nobody holds.
    func orForget<Answer>(_ output: Output, _ work: () async throws -> Answer) async throws -> Answer {
        do {
            return try await work()
        } catch {
            await forget(output)
            throw error
        }
    }

    private func forget(_ output: Output) async {
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
