import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// Notifies the service manager, such as systemd, that the hub is ready, is well, and stops: one datagram each to the socket in
/// NOTIFY_SOCKET (sd_notify(3)).
struct SystemdNotifier: Service {
    private let socket: NotifySocket
    /// A third of WATCHDOG_USEC; nil if there is no watchdog.
    private let watchdogInterval: Duration?
    private let store: Store
    private let logger: Logger

    /// nil if there is no service manager to notify.
    init?(store: Store, logger: Logger, environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["NOTIFY_SOCKET"], let socket = NotifySocket(path) else { return nil }
        self.socket = socket
        self.store = store
        self.logger = logger
        let isMine = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { isMine && $0 > 0 ? $0 : nil }
        watchdogInterval = microseconds.map { .microseconds(max($0 / 3, 1000)) }
        // Programs that the hub starts must not use them.
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    }

    /// It serves now.
    func notifyReady(at url: String) { notify("READY=1\nSTATUS=Serving the house at \(url)") }

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await sendWatchdogPings()
        } onCancelOrGracefulShutdown: {
            notify("STOPPING=1\nSTATUS=Finishing open requests")
        }
    }

    /// Reports that the hub is well while its writer answers: a blocked writer keeps every door shut, and a restart fixes that.
    ///
    /// The check writes nothing, so it passes with a full disk: the hub then still answers reads, refuses writes by itself, and continues
    /// once there is room. A restart would only interrupt the reads.
    private func sendWatchdogPings() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: watchdogInterval ?? .seconds(3600))
                    guard watchdogInterval != nil else { continue }
                    try await store.write { _ in }
                    notify("WATCHDOG=1")
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("database writer does not answer", metadata: ["error": "\(type(of: error))"])
                }
            }
        }
    }

    private func notify(_ words: String) {
        if !socket.send(words) { logger.warning("systemd could not be notified") }
    }
}

/// The destination of the datagrams: a path or, after an @, a name in the abstract namespace, outside the file system.
private struct NotifySocket: Sendable {
    private let address: sockaddr_un
    private let length: socklen_t

    init?(_ path: String) {
        let bytes = Array(path.utf8)
        var place = sockaddr_un()
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: place.sun_path)
        else { return nil }
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { room in
            for (index, byte) in bytes.enumerated() { room[index] = byte }
            if first == UInt8(ascii: "@") { room[0] = 0 }
        }
        self.address = place
        length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + socklen_t(bytes.count)
    }

    func send(_ words: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(words.utf8)
        let sent = withUnsafeBytes(of: address) { place in
            place.baseAddress.map {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0.assumingMemoryBound(to: sockaddr.self), length)
            }
        }
        return sent == bytes.count
    }
}
