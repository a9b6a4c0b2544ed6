import CardeaAPI
import CardeaClient
import Foundation
import Synchronization

/// Forwards requests, and records whether the house may have done any of them. If so, no error says that nothing was done.
final class ChangeTrackingTransport: BulkTransport {
    private let transport: any Transport
    private let changed = Mutex(false)

    init(_ carrier: any Transport) {
        self.transport = carrier
    }

    /// True if a request that changes the house may have reached it in this run.
    var mayHaveChanged: Bool { changed.withLock { $0 } }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { try await transport.open(request) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        do throws(TransportError) {
            let response = try await transport.send(request)
            // A refusal comes before any change; a server error does not say how far the change went.
            if response.status < 300 || response.status >= 500 { recordChange(request) }
            return response
        } catch {
            if error.mayHaveArrived { recordChange(request) }
            throw error
        }
    }

    func exchange(
        _ request: TransportRequest, upload: UploadSource?, receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws {
        guard let carrier = transport as? any BulkTransport else {
            throw ClientError.invalidRequest("this transport does not support large transfers")
        }
        recordChange(request)
        try await carrier.exchange(request, upload: upload, receive: receive)
    }

    private func recordChange(_ request: TransportRequest) {
        guard request.method != .get, !Self.readOnlyPaths.contains(where: { request.url.path.hasSuffix($0) }) else { return }
        changed.withLock { $0 = true }
    }

    /// POST requests that change nothing in the house: queries too long for a URL, and the session refresh.
    private static let readOnlyPaths = [
        Route.explain.path, Route.refresh.path, Route.exportAudit.path, Route.lookAtTag.path,
    ]
}
