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
