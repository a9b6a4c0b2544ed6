import ArgumentParser
import CardeaHTTP
import CardeaHub
import CardeaModel
import Foundation
import NIOCore

/// `127.0.0.1:8300` or `[::1]:8300`.
struct ListenAddress {
    let host: String
    let port: Int

    /// - Parameter option: by which it was named.
    init(_ text: String, of option: String = "--listen") throws {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), (0...65535).contains(port) else {
            throw ValidationError("\(option) needs address:port, such as 127.0.0.1:8300")
        }
        host = text[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = port
        guard !host.isEmpty else { throw ValidationError("\(option) needs an address before the port, such as 127.0.0.1:8300") }
    }

    /// The names under which the hub can be reached: the address itself or, if it listens on all, this machine's own.
    var names: [String] {
        guard isEverywhere else { return [host] }
        let addresses = ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
        let name = ProcessInfo.processInfo.hostName.lowercased()
        // An address with a zone, such as fe80::1%eth0, is not one that people type.
        return Set(addresses).filter { !$0.contains("%") }.sorted() + (name.isEmpty || name == "localhost" ? [] : [name])
            + (nameNearby.map { [$0] } ?? [])
    }

    var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

    /// This machine's name on the local network (RFC 6762).
    private var nameNearby: String? {
        let label = ProcessInfo.processInfo.hostName.lowercased().prefix { $0 != "." }
        return label.isEmpty || label == "localhost" ? nil : "\(label).local"
    }

    /// The address for clients on the same network, by name if there are several addresses.
    func urlNearby(port: Int) -> String {
        guard isEverywhere else { return url(port: port, isSecure: true) }
        return (nameNearby ?? names.first).map { "https://\($0.contains(":") ? "[\($0)]" : $0):\(port)" } ?? url(port: port, isSecure: true)
    }

    /// The address for devices on the same network, by number: few of them look up names of that network.
    func urlForDevices(port: Int) -> String {
        let own = isEverywhere ? Self.addressNearby : nil
        return own.map { "http://\($0):\(port)" } ?? url(port: port)
    }

    /// An IPv4 address of this machine in the house's network: none of a network of containers, of virtual machines or of a VPN.
    private static var addressNearby: String? {
        let others = ["br-", "cni", "docker", "lxc", "lxd", "podman", "tailscale", "tap", "tun", "veth", "virbr", "wg", "zt"]
        let devices = ((try? System.enumerateDevices()) ?? []).filter { device in !others.contains { device.name.hasPrefix($0) } }
        return devices.compactMap { $0.address?.ipAddress }.sorted().first {
            !$0.contains(":") && !$0.hasPrefix("127.") && IPAddress($0)?.isLocal == true
        }
    }

    /// The index of the only network interface it listens on; nil for all.
    var interface: UInt32? {
        guard !isEverywhere else { return nil }
        let own = ((try? System.enumerateDevices()) ?? []).first { $0.address?.ipAddress == host }
        return own.map { UInt32(clamping: $0.interfaceIndex) }
    }

    func url(port: Int, isSecure: Bool = false) -> String {
        let scheme = isSecure ? "https" : "http"
        return host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }

    /// By its number or its own name: `127.example.org` may be anywhere.
    var isLoopback: Bool {
        host == "localhost" || host == "::1" || (host.hasPrefix("127.") && (try? SocketAddress(ipAddress: host, port: 0)) != nil)
    }
}
