import CardeaHub
import CardeaModel
import CardeaNetwork
import NIOCore
import NIOPosix
import NIOSSL

/// Connects to cameras at permitted addresses. A name is resolved once, and the connection goes to that result: the address that is checked
/// is the one that is used.
struct CameraConnector: Sendable {
    /// For tests, and for a Frigate or Home Assistant on the hub's own machine.
    var allowsLoopback = false

    func resolve(_ address: CameraAddress) async throws(CameraUnavailableError) -> SocketAddress {
        let found: [HostAddress]
        do { found = try await HostAddress.all(of: address.host, port: address.port) } catch { throw .unknownHost }
        var refusal: OutgoingAddressPolicy.Refusal?
        for candidate in found {
            guard let why = OutgoingAddressPolicy.refusal(candidate.bytes, allowsLoopback: allowsLoopback) else { return candidate.socket }
            refusal = why
        }
        throw refusal.map { .refusedAddress($0) } ?? .unknownHost
    }

    /// A bare connection, inside TLS if the address asks for it.
    func connect(_ address: CameraAddress) async throws(CameraUnavailableError) -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await connect(address) { _ in }
    }

    /// - Parameter prepare: adds the handlers of a protocol, behind those of TLS.
    func connect<Inbound: Sendable, Outbound: Sendable>(
        _ address: CameraAddress, _ prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws(CameraUnavailableError) -> NIOAsyncChannel<Inbound, Outbound> {
        let socket = try await resolve(address)
        do {
            let context = address.isSecure ? try NIOSSLContext(configuration: .makeClientConfiguration()) : nil
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(.seconds(5))
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .connect(to: socket) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let context {
                            let name = address.host.contains(":") || address.host.allSatisfy { $0.isNumber || $0 == "." }
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: context, serverHostname: name ? nil : address.host))
                        }
                        try prepare(channel)
                        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch is NIOSSLError {
            throw .untrustedCertificate
        } catch {
            throw .unreachable
        }
    }
}
