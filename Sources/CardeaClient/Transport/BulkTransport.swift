import Foundation

/// A transport that also carries bodies too large to be held, in both directions.
public protocol BulkTransport: Transport {
    /// Sends the request with `upload` as the body, and passes on the answer as it arrives. No more is read before `receive` has returned,
    /// and no more of `upload` is read than the connection can accept. The request's timeout is for inactivity.
    ///
    /// - Throws: `TransportFailure`, or what `upload` or `receive` threw.
    func exchange(
        _ request: TransportRequest, upload: UploadSource?, receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws
}

/// A line was chosen that carries whole bodies only.
extension ClientError {
    static let bulkTransferUnsupported = ClientError.invalidRequest("this transport does not support large transfers")
}
