import CardeaHub
import CardeaModel
import Glibc
import NIOCore
import NIOPosix
import NIOSSL

/// Where the hub lets itself be sent, and the way there. A name is looked up once, and what it stood for then is what is connected to: it
/// cannot be one address when it is judged and another when it is used.
struct Reach: Sendable {
    /// For tests, and for a Frigate or Home Assistant on the hub's own machine.
    var allowsLoopback = false

    func resolve(_ address: CameraAddress) async throws(CameraTrouble) -> SocketAddress {
        let found: [Candidate]
        do {
            found = try await NIOThreadPool.singleton.runIfActive { Self.lookUp(address.host, address.port) }
        } catch {
            throw .unknownHost
        }
        var refusal: OutgoingAddress.Refusal?
        for candidate in found {
            guard let why = OutgoingAddress.refusal(candidate.bytes, allowsLoopback: allowsLoopback) else { return candidate.socket }
            refusal = why
        }
        throw refusal.map { .refusedAddress($0) } ?? .unknownHost
    }

    /// A bare connection, inside TLS where the address asks for it.
    func connect(_ address: CameraAddress) async throws(CameraTrouble) -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
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
                        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch is NIOSSLError {
            throw .secrecy
        } catch {
            throw .unreachable
        }
    }

    /// Every address that the host stands for. It blocks.
    private static func lookUp(_ host: String, _ port: Int) -> [Candidate] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [Candidate] = []
        var next = list
        while let info = next?.pointee {
            if let address = info.ai_addr {
                // `sockaddr_in` has its address behind family and port; `sockaddr_in6` behind the flow too.
                let bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
                switch info.ai_family {
                case AF_INET where bytes.count >= 8:
                    address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        found.append(Candidate(socket: SocketAddress($0.pointee), bytes: Array(bytes[4..<8])))
                    }
                case AF_INET6 where bytes.count >= 24:
                    address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        found.append(Candidate(socket: SocketAddress($0.pointee), bytes: Array(bytes[8..<24])))
                    }
                default: break
                }
            }
            next = info.ai_next
        }
        return found
    }
}

/// One address that a name stands for.
private struct Candidate: Sendable {
    let socket: SocketAddress
    /// Four bytes or sixteen, in the order of the network.
    let bytes: [UInt8]
}
