import CardeaAPI
import CardeaModel
import Foundation

/// What has changed since: the journal, a page at a time, as far as whoever asks may see it.
public struct Changes: Sendable {
    let caller: AuthenticatedClient

    /// The largest page.
    public static let pageLimit = 500

    /// Where the journal is now. Whoever reads everything else after asking this, and goes on from here, misses nothing.
    public func now() async throws(ClientError) -> Int64 {
        try await page([]).next
    }

    /// Throws `APIError` `cursor_too_old` where what came after `seq` is no longer kept, or never was: then everything is read anew.
    public func after(_ seq: Int64, limit: Int = pageLimit) async throws(ClientError) -> ChangesPage {
        try await page([("after", String(seq)), ("limit", String(limit))])
    }

    private func page(_ query: [(String, String?)]) async throws(ClientError) -> ChangesPage {
        let response = try await caller.response(.get("api", "v1", "changes", query: query))
        // Whoever reads after this must not be given what was read before it.
        caller.pipeline.reads.writeFinished()
        return try response.decode(ChangesPage.self)
    }
}
