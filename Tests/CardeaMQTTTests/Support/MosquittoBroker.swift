import CardeaTestSupport
import Foundation
import Synchronization

/// A real mosquitto on a free loopback port.
final class MosquittoBroker: Sendable {
    let port: Int
    let scratch: TemporaryFolder
    private let configuration: String
    private let program = AwaitableValue<ChildProcess?>(nil)

    /// - Parameter lines: the configuration below the listener; anonymous clients by default.
    init(_ lines: String = "allow_anonymous true", in scratch: TemporaryFolder? = nil) async throws {
        self.scratch = try scratch ?? TemporaryFolder()
        port = try Self.freePort()
        configuration = """
            user root
            persistence false
            log_dest stderr
            log_type all
            listener \(port) 127.0.0.1
            \(lines)

            """
        try await start()
    }

    func start() async throws {
        try scratch.write("mosquitto.conf", configuration)
        let broker = try ChildProcess("mosquitto", ["-c", scratch.path("mosquitto.conf")], directory: scratch.url)
        program.change { $0 = broker }
        try await broker.lines.waitUntil("the broker runs") { $0.contains { $0.contains("running") } }
    }

    /// Kills it like a power cut.
    func crash() async throws { try await program.now?.killAndWait() }

    func signal(_ number: Int32) { program.now?.signal(number) }

    var log: AwaitableValue<[String]> { program.now?.lines ?? AwaitableValue([]) }

    /// Publishes with a client that is not ours.
    func publish(_ topic: String, _ message: String?, retained: Bool = false, _ more: [String] = []) async throws {
        let payload = message.map { ["-m", $0] } ?? ["-n"]
        try await ChildProcess.run(
            "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic] + payload + (retained ? ["-r"] : []) + more)
    }

    /// Publishes a payload from a file.
    func publish(_ topic: String, file: String) async throws {
        try await ChildProcess.run("mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-f", file])
    }

    /// Subscribes with a client that is not ours, and returns once subscribed.
    ///
    /// - Parameter identity: the client's authentication options.
    func listener(to topics: [String], identity: [String] = [], _ more: [String] = []) async throws -> MessageListener {
        let marker = "ready/\(UUID().uuidString)"
        try await publish(marker, "ready", retained: true, identity)
        let filters = (topics + [marker]).flatMap { ["-t", $0] }
        let program = try ChildProcess(
            "mosquitto_sub",
            ["-V", "mqttv5", "-h", "127.0.0.1", "-p", "\(port)", "-F", "%t|%p|%r|%E|%P"] + filters + identity + more)
        try await program.lines.waitUntil("a listener is subscribed") { $0.contains { $0.hasPrefix(marker) } }
        return MessageListener(program: program, marker: marker)
    }

    private static let portsTaken = Atomic(0)

    /// A port that is free, and stays free until the broker has it and while it is away: the kernel assigns no port below 32768 by itself,
    /// and each call and each process begins elsewhere.
    static func freePort() throws -> Int {
        struct NoPort: Error {}
        for _ in 0..<1000 {
            let count = portsTaken.wrappingAdd(1, ordering: .relaxed).newValue
            let port = 20_000 + (Int(getpid()) * 97 + count) % 12_000
            if isFree(port) { return port }
        }
        throw NoPort()
    }

    private static func isFree(_ port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) == 0 }
        }
    }
}

/// Collects the messages that an independent subscriber receives.
struct MessageListener: Sendable {
    struct Message: Sendable, Hashable {
        let topic: String
        let payload: String
        let isRetained: Bool
        /// Seconds left by the broker's count; empty if it does not expire.
        let expiry: String
        let userProperties: String
    }

    let program: ChildProcess
    let marker: String

    private func messages(in lines: [String]) -> [Message] {
        lines.compactMap { line in
            let parts = line.components(separatedBy: "|")
            guard parts.count == 5, parts[0] != marker else { return nil }
            return Message(topic: parts[0], payload: parts[1], isRetained: parts[2] == "1", expiry: parts[3], userProperties: parts[4])
        }
    }

    var messages: [Message] { messages(in: program.lines.now) }

    @discardableResult
    func until(_ what: String, _ isSo: ([Message]) -> Bool) async throws -> [Message] {
        messages(in: try await program.lines.waitUntil(what) { isSo(messages(in: $0)) })
    }
}
