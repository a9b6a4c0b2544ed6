import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// Records the first error while the connection is made: the upgrade itself only reports that it failed.
final class ConnectionErrorRecorder: Sendable {
    private let firstError = Mutex<HomeAssistantConnectionError?>(nil)

    var error: HomeAssistantConnectionError? { firstError.withLock { $0 } }

    func record(_ failure: HomeAssistantConnectionError) {
        firstError.withLock { $0 = $0 ?? failure }
    }
}

/// Records the first error in the channel, such as an untrusted certificate.
final class ConnectionErrorHandler: ChannelInboundHandler {
    typealias InboundIn = Any

    private let diagnosis: ConnectionErrorRecorder
    private let address: HomeAssistantAddress

    init(findings: ConnectionErrorRecorder, address: HomeAssistantAddress) {
        self.diagnosis = findings
        self.address = address
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        diagnosis.record(HomeAssistantConnectionError(error, at: address))
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        diagnosis.record(.hungUp)
        context.fireChannelInactive()
    }
}

/// Reads how a server answers that does not upgrade.
final class UpgradeStatusHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let diagnosis: ConnectionErrorRecorder

    init(findings: ConnectionErrorRecorder) { self.diagnosis = findings }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { diagnosis.record(.notUpgraded(status: Int(head.status.code))) }
    }
}

/// The certificates to trust.
enum TrustRoots {
    static let system = NIOSSLTrustRoots.default

    static func trusting(_ pem: String) throws(HomeAssistantConnectionError) -> NIOSSLTrustRoots {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !certificates.isEmpty else {
            throw .tls("the CA certificate is not valid PEM")
        }
        return .certificates(certificates)
    }

    static func context(_ roots: NIOSSLTrustRoots) throws(HomeAssistantConnectionError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = roots
        configuration.minimumTLSVersion = .tlsv12
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .tls("TLS cannot be set up on the hub")
        }
    }
}

extension HomeAssistantConnectionError {
    /// The reason why no connection was made.
    init(_ error: any Error, at address: HomeAssistantAddress) {
        switch error {
        case let failure as HomeAssistantConnectionError: self = failure
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            self = .unknownHost(address.host)
        case let error as NIOConnectionError: self = Self.connectionFailed(error.connectionErrors.map(\.error), at: address)
        case ChannelError.connectTimeout: self = .timedOut(address.authority)
        case let error as NIOSSLError: self = Self.tls(error)
        case is NIOSSLExtraError: self = .untrusted("it is not for the name \(address.host)")
        case is HTTPParserError: self = .malformed
        default: self = .unreachable("cannot reach \(address.authority)")
        }
    }

    private static func connectionFailed(_ errors: [any Error], at address: HomeAssistantAddress) -> HomeAssistantConnectionError {
        if errors.contains(where: { if case ChannelError.connectTimeout = $0 { true } else { false } }) {
            return .timedOut(address.authority)
        }
        let hint = address.port == 8123 ? "" : "; Home Assistant usually listens on port 8123"
        return .unreachable("cannot reach Home Assistant: no answer from \(address.authority)\(hint)")
    }

    private static func tls(_ error: NIOSSLError) -> HomeAssistantConnectionError {
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return .untrusted("it is not signed by a trusted authority, or has expired") }
        if case .unableToValidateCertificate = error { return .untrusted("it is not for this address") }
        if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") { return .tls("this port does not support TLS") }
        return .tls("the TLS handshake failed")
    }

    /// The reason why an open connection ended.
    init(ending error: any Error) {
        switch error {
        case let failure as HomeAssistantConnectionError: self = failure
        case is CancellationError: self = .closed
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge: self = .tooLarge
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error: self = .malformed
        default: self = .hungUp
        }
    }
}
