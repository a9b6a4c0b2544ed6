import CardeaAPI
import CardeaClient

/// A tag in the house's books while it is written: told of before, believed after it was read back, forgotten where that came to nothing.
struct TagWriting {
    let client: CardeaClient
    let made: NewTagAnswer
    private let replaced: TagAnswer?

    /// The house's name for it.
    var tagID: String { made.tagID ?? "" }

    /// - Parameter replaced: the tag whose place it takes, once it is written.
    static func begin(_ body: AddTagBody, replacing replaced: TagAnswer?, at client: CardeaClient) async throws -> TagWriting {
        TagWriting(client: client, made: try await client.tags.add(body), replaced: replaced)
    }

    /// - Parameter url: what was read back.
    func finish(readBack url: String) async throws -> TagAnswer {
        if let replaced { try await client.tags.remove(replaced.tagID) }
        return try await client.tags.one(tagID)
    }

    /// Does `work`; where that fails the house forgets the tag, so that nothing presses anything that nobody holds.
    func orForget<Answer>(_ output: Output, _ work: () async throws -> Answer) async throws -> Answer {
        do {
            return try await work()
        } catch {
            do {
                try await client.tags.remove(tagID)
            } catch ClientError.api(let refusal) where refusal.status == 404 {
                // It is forgotten already.
            } catch {
                output.note("The house still knows of the tag that was not written. Take it out: cardea tags remove \(tagID)")
            }
            throw error
        }
    }
}
