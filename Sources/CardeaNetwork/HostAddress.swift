import Glibc
import NIOCore
import NIOPosix

/// One address that a host name resolves to. A name is looked up once, the address is judged, and that address is connected to: it cannot
/// be one when it is judged and another when it is used.
public struct HostAddress: Sendable {
    public let socket: SocketAddress
    /// Four of IPv4 or sixteen of IPv6, in the order of the network.
    public let bytes: [UInt8]

    /// - Returns: nil for a socket of this machine's file system.
    public init?(_ socket: SocketAddress) {
        self.socket = socket
        switch socket {
        // In `sockaddr_in` the address follows family and port; in `sockaddr_in6` also the flow label.
        case .v4(let address): bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
        case .unixDomainSocket: return nil
        }
    }

    /// Every address of the host, in the order in which to try them; none for an unknown name.
    public static func all(of host: String, port: Int) async throws -> [HostAddress] {
        try await NIOThreadPool.singleton.runIfActive { Self.resolve(host, port) }
    }

    /// It blocks.
    private static func resolve(_ host: String, _ port: Int) -> [HostAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [HostAddress] = []
        var next = list
        while let info = next?.pointee {
            if let address = socketAddress(of: info).flatMap(HostAddress.init) { found.append(address) }
            next = info.ai_next
        }
        return found
    }

    private static func socketAddress(of info: addrinfo) -> SocketAddress? {
        guard let address = info.ai_addr else { return nil }
        switch info.ai_family {
        case AF_INET where Int(info.ai_addrlen) >= MemoryLayout<sockaddr_in>.size:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
        case AF_INET6 where Int(info.ai_addrlen) >= MemoryLayout<sockaddr_in6>.size:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
        default: return nil
        }
    }
}
