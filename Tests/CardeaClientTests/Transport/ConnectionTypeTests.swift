import Foundation
import Testing

@testable import CardeaClient

@Suite("Network connection type")
struct ConnectionTypeTests {
    private static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT   "

    @Test(
        "The default route is the active one with the lowest metric",
        arguments: [
            ([], nil),
            (["eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0"], nil),
            (["eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0   "], "eth0"),
            (
                [
                    "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0",
                    "enp3s0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0",
                ], "enp3s0"
            ),
            (
                [
                    "wg0\t00000000\t00000000\t0001\t0\t0\t50\t00000080\t0\t0\t0",
                    "wwan0\t00000000\t00000000\t0001\t0\t0\t700\t00000000\t0\t0\t0",
                ], "wwan0"
            ),
            (["lo\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0"], nil),
            (["eth0\t00000000\t010200C0\t0002\t0\t0\t0\t00000000\t0\t0\t0"], nil),
            (["eth0 00000000", "", "eth0\t00000000\t0\tzz\t0\t0\tx\t00000000"], nil),
        ] as [([String], String?)])
    func routes(rows: [String], interface: String?) {
        #expect(KernelRoutes(([Self.head] + rows).joined(separator: "\n")).defaultInterface == interface)
    }

    @Test(
        "An interface's type comes from the kernel, and others have no type",
        arguments: [
            ("INTERFACE=eth0\nIFINDEX=2", "1\n", false, ConnectionType.wired),
            ("DEVTYPE=wlan\nINTERFACE=wlan0\nIFINDEX=3", "1\n", true, .wifi),
            ("DEVTYPE=wlan\nINTERFACE=wlan0", "1\n", false, .wifi),
            ("INTERFACE=wlan0", "1\n", true, .wifi),
            ("DEVTYPE=wwan\nINTERFACE=wwan0", "1\n", false, .cellular),
            ("INTERFACE=rmnet0", "519\n", false, .cellular),
            ("DEVTYPE=vlan\nINTERFACE=eth0.7", "1\n", false, .wired),
            ("DEVTYPE=bridge\nINTERFACE=br0", "1\n", false, .unknown),
            ("DEVTYPE=wireguard\nINTERFACE=wg0", "65534\n", false, .unknown),
            ("INTERFACE=tun0", "65534\n", false, .unknown),
            ("INTERFACE=ppp0", "512\n", false, .unknown),
            ("INTERFACE=lo", "772\n", false, .unknown),
            ("", "", false, .unknown),
        ] as [(String, String, Bool, ConnectionType)])
    func interfaces(uevent: String, type: String, isWireless: Bool, expected: ConnectionType) {
        #expect(ConnectionType(uevent: uevent, type: type, isWireless: isWireless) == expected)
    }

    @Test("Linux network files are parsed, and without them the type is unknown")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-network-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let network = LinuxNetwork(routes: folder.appending(path: "route"), interfaces: folder.appending(path: "net"))
        #expect(network.connectionType == .unknown)
        let interface = network.interfaces.appending(path: "wlan0")
        try FileManager.default.createDirectory(at: interface.appending(path: "wireless"), withIntermediateDirectories: true)
        try Data("1\n".utf8).write(to: interface.appending(path: "type"))
        let row = "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0"
        try Data("\(Self.head)\n\(row)\n".utf8).write(to: network.routes)
        #expect(network.connectionType == .wifi)
    }
}
