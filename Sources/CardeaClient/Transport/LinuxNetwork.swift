import Foundation

/// The table of `/proc/net/route`.
struct KernelRoutes: Sendable {
    /// The interface by which everything goes that has no way of its own; of several, the one with the lowest metric. Nil where there is
    /// none.
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
