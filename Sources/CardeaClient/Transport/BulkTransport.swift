import Foundation

/// A transport that also carries bodies too large to be held, in both directions.
public protocol BulkTransport: Transport {
    /// Asks, with `upload` as the body, and hands on the answer as it comes. No more is read before `receive` has returned, and no more is
    /// taken of `upload` than the line has room for. The request's timeout is for silence: how long nothing may move.
    ///
    /// - Throws: `TransportFailure`, or what `upload` or `receive` threw.
    func exchange(
        _ request: TransportRequest, upload: UploadSource?, receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws
}

/// A line was chosen that carries whole bodies only.
extension ClientError {
    static let bulkTransferUnsupported = ClientError.invalidRequest("the line that was chosen carries nothing large")
}
