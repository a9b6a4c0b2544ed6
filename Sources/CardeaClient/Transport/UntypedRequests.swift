import CardeaSecurity
import Foundation

/// Requests by path to endpoints without a typed method, and uploads and downloads of any size. They use the session, retries, resumption
/// and metrics of every other call.
///
///     try await client.untyped.download(["openapi.json"], to: file) { print($0.fraction ?? 0) }
public struct UntypedRequests: Sendable {
    let caller: AuthenticatedClient

    /// An answer of at most 8 MiB, as it came.
    ///
    /// - Parameters:
    ///   - path: its segments; each is escaped.
    ///   - body: JSON.
    ///   - key: makes a write repeatable: the hub answers the same key with the same outcome.
    ///   - isOpen: the call needs no session.
    public func data(
        _ method: TransportRequest.Method = .get, _ path: [String], query: [(String, String)] = [], body: Data? = nil, key: String? = nil,
        isOpen: Bool = false
    ) async throws(ClientError) -> Data {
        let call = call(method, path, query, body: body, key: key)
        return try await isOpen ? caller.sendUnauthenticated(call).body : caller.response(call).body
    }

    /// Downloads into a file, which is replaced only once the whole body is on the disk; on an error the earlier file stays.
    ///
    /// - Parameters:
    ///   - limit: the maximum size in bytes.
    ///   - progress: called as parts arrive; it must return at once.
    public func download(
        _ path: [String], query: [(String, String)] = [], to file: URL, limit: Int64 = 1 << 30, isOpen: Bool = false,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(ClientError) {
        try await download(call(.get, path, query), to: file, limit: limit, isOpen: isOpen, progress: progress)
    }

    /// The same for a repeatable call.
    func download(
        _ call: APICall, to file: URL, limit: Int64, isOpen: Bool, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(ClientError) {
        let draft: PrivateFile.TemporaryFile
        do { draft = try PrivateFile(file).makeTemporaryFile() } catch { throw ClientError(error) }
        let download = DownloadWriter(into: draft, limit: max(0, limit), progress: progress)
        do {
            _ = try await caller.authorized(unless: isOpen) { bearer throws(ClientError) in
                try await caller.pipeline.download(call, bearer: bearer, into: download)
            }
        } catch {
            draft.discard()
            throw error
        }
        do { try draft.finish() } catch { throw ClientError(error) }
    }

    /// Uploads a file or a sequence of parts, and returns the house's answer.
    ///
    /// Retried after a broken connection only if `method` is `put` or there is a `key`, and the source can be read again.
    /// - Parameter progress: called as the connection accepts parts; it must return at once.
    public func upload(
        _ source: UploadSource, by method: TransportRequest.Method = .put, to path: [String], query: [(String, String)] = [],
        contentType: String = "application/octet-stream", key: String? = nil, isOpen: Bool = false,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(ClientError) -> Data {
        var call = call(method, path, query, key: key)
        call.isIdempotent = method == .put
        let sent = call
        // The source can be read once, so the request cannot be repeated with a new token: the session is renewed beforehand.
        return try await caller.authorized(unless: isOpen, again: source.isRepeatable) { bearer throws(ClientError) in
            try await caller.pipeline.upload(sent, source, contentType: contentType, bearer: bearer, progress: progress)
        }.body
    }

    private func call(
        _ method: TransportRequest.Method, _ path: [String], _ query: [(String, String)], body: Data? = nil, key: String? = nil
    ) -> APICall {
        // Metrics contain no ids.
        APICall(method: method, path: path.map { .id($0) }, query: query, body: body, idempotencyKey: key)
    }
}
