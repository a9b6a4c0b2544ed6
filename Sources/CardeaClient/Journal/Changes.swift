import CardeaAPI
import CardeaModel
import Foundation

/// The change journal, read a page at a time. It contains only changes that the caller may see.
public struct Changes: Sendable {
    let caller: AuthenticatedClient

    /// The largest page.
    public static let pageLimit = 500

    /// The current position of the journal. A client that first asks for this, then reads everything else, and continues from this position
    /// misses no change.
    public func now() async throws(ClientError) -> Int64 {
        try await page([]).next
    }

    /// Throws `cursor_too_old` if the changes after `seq` are no longer kept, or `seq` is of another house: then read everything again.
    public func after(_ seq: Int64, limit: Int = pageLimit) async throws(ClientError) -> ChangesPage {
        try await page([("after", String(seq)), ("limit", String(limit))])
    }

    private func page(_ query: [(String, String?)]) async throws(ClientError) -> ChangesPage {
        let response = try await caller.response(.get("api", "v1", "changes", query: query))
        // A read after this must not share an earlier answer.
        caller.pipeline.reads.writeFinished()
        return try response.decode(ChangesPage.self)
    }
}
