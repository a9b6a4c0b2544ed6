import AsyncHTTPClient
import CardeaClient
import Foundation
import NIOCore
import NIOPosix

extension TransportError {
    /// Converts an error of async-http-client, above all whether the request may have been sent.
    init(_ error: any Error) {
        switch error {
        case let failure as TransportError: self = failure
        case is CancellationError: self = .cancelled
        case is NIOTooManyBytesError: self = .tooLarge
        case is NIOConnectionError: self = .noConnection
        case let error as HTTPClientError: self = Self.failure(error)
        case let error as IOError where Self.beforeConnecting.contains(error.errnoCode): self = .noConnection
        case _ where Self.isHandshakeInterrupted(error): self = .noConnection
        default: self = Self.isTLS(error) ? .untrusted : .interrupted
        }
    }

    private static func failure(_ error: HTTPClientError) -> TransportError {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout: .noConnection
        case .deadlineExceeded, .readTimeout, .writeTimeout: .timeout
        case .cancelled: .cancelled
        default: .interrupted
        }
    }

    private static let beforeConnecting: Set<CInt> = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN]

    /// The other side closed the connection during the handshake, as a hub does that is starting: nothing was sent, and no other host
    /// answered.
    private static func isHandshakeInterrupted(_ error: any Error) -> Bool {
        String(reflecting: error).contains("eofDuringHandshake")
    }

    /// A handshake that failed, before the first byte of the request. Known by name, to pull in no second TLS module;
    /// NIOSSL's other errors come later, when something may have been sent.
    private static func isTLS(_ error: any Error) -> Bool {
        let text = String(reflecting: error)
        return text.contains("NIOSSL") && (text.contains("handshakeFailed") || text.contains("ostname"))
    }
}
