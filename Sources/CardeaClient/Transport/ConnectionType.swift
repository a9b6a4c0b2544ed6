import Foundation

/// The device's type of network connection (Seed 004, item 37).
public enum ConnectionType: String, Codable, Hashable, Sendable, CaseIterable {
    case wifi, cellular, wired
    /// No network, another kind such as a tunnel, or not known.
    case unknown
}

extension ConnectionType {
    /// The present type.
    public static var current: ConnectionType {
        #if canImport(Network)
            NetworkPath.connectionType
        #else
            LinuxNetwork().connectionType
        #endif
    }

    /// The kind of a Linux network interface, by the kernel's files.
    ///
    /// - Parameters:
    ///   - uevent: its `uevent`, lines such as `DEVTYPE=wlan`.
    ///   - type: its `type`, a number of `ARPHRD_…`.
    ///   - isWireless: whether it has a `wireless`.
    init(uevent: String, type: String, isWireless: Bool) {
        let deviceType = uevent.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }?.dropFirst("DEVTYPE=".count)
        switch (deviceType, type.trimmingCharacters(in: .whitespacesAndNewlines)) {
        case ("wwan"?, _): self = .cellular
        case _ where isWireless: self = .wifi
        case ("wlan"?, _): self = .wifi
        // ARPHRD_RAWIP: modems without Ethernet frames.
        case (nil, "519"): self = .cellular
        // ARPHRD_ETHER. A bridge or a tunnel that looks like Ethernet has a type of its own.
        case (nil, "1"), ("vlan"?, "1"), ("bond"?, "1"), ("dsa"?, "1"): self = .wired
        default: self = .unknown
        }
    }
}

/// The table of `/proc/net/route`.
struct KernelRoutes: Sendable {
    /// The interface of the default route; of several, the one with the lowest metric. Nil if there is none.
    let defaultInterface: String?

    init(_ text: String) {
        let rows = text.split(separator: "\n").dropFirst().compactMap { line -> (interface: String, metric: Int)? in
            let cells = line.split { $0 == "\t" || $0 == " " }
            guard cells.count >= 8, cells[1] == "00000000", cells[7] == "00000000", let flags = Int(cells[3], radix: 16),
                flags & Self.isUp != 0, flags & Self.isRejected == 0, let metric = Int(cells[6])
            else { return nil }
            return (String(cells[0]), metric)
        }
        defaultInterface = rows.min { $0.metric < $1.metric }?.interface
    }

    /// `RTF_UP` and `RTF_REJECT`.
    private static let (isUp, isRejected) = (0x0001, 0x0200)
}

/// The network status from Linux's files.
struct LinuxNetwork: Sendable {
    var routes = URL(fileURLWithPath: "/proc/net/route")
    var interfaces = URL(fileURLWithPath: "/sys/class/net")

    var connectionType: ConnectionType {
        guard let name = KernelRoutes(text(routes)).defaultInterface, !name.contains("/"), name != ".." else { return .unknown }
        let folder = interfaces.appending(path: name)
        return ConnectionType(
            uevent: text(folder.appending(path: "uevent")), type: text(folder.appending(path: "type")),
            isWireless: FileManager.default.fileExists(atPath: folder.appending(path: "wireless").path))
    }

    private func text(_ file: URL) -> String {
        (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
}

#if canImport(Network)
    import Dispatch
    import Network

    /// The path that Apple's systems choose.
    private enum NetworkPath {
        private static let monitor = {
            let monitor = NWPathMonitor()
            monitor.start(queue: DispatchQueue(label: "cardea.network"))
            return monitor
        }()

        static var connectionType: ConnectionType {
            let path = monitor.currentPath
            guard path.status == .satisfied else { return .unknown }
            if path.usesInterfaceType(.wifi) { return .wifi }
            if path.usesInterfaceType(.cellular) { return .cellular }
            return path.usesInterfaceType(.wiredEthernet) ? .wired : .unknown
        }
    }
#endif
