import Foundation

/// Carries a request to the hub and its answer back. On Linux it is `NIOTransport` of `CardeaClientNIO`, on Apple's systems
/// `URLSessionTransport`.
///
/// A transport follows no redirect, uses no proxy, stores no cookies and retries nothing: the caller decides what may be repeated.
public protocol Transport: Sendable {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Returns as soon as the head of the answer has arrived, with a streaming body. The request's timeout is for the head.
    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream
}
