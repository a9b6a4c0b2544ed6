import Foundation

/// What carries a request to the hub and its answer back. On Linux it is `NIOTransport` of
/// `CardeaClientNIO`, on Apple's systems `URLSessionTransport`.
///
/// A transport follows no redirect, asks no proxy, keeps no cookies and tries nothing twice: what may be repeated is decided above it.
public protocol Transport: Sendable {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Answers as soon as the head of the answer is there, with a body that goes on coming. The request's timeout is for the head.
    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream
}
