import CardeaHTTP
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaSenses
import CardeaStore
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Events of the house reaching many listeners, each event durable before it is told, beside a bare NIO server that writes the same
/// bytes to as many connections.
enum RealtimeBenchmark {
    private static let listeners = 500
    private static let events = 400

    static func run(_ report: inout Report) async throws {
        print("Realtime, \(listeners) listeners, \(events) events")
        let (told, bytes) = try await DoorBenchmark.inFolder { try await house(in: $0) }
        report.figure("frames told by the house", told, "/s")
        let bare = try await broadcast(bytes / events)
        report.figure("the same bytes, broadcast by bare NIO", bare, "/s")
        report.ratio("realtime_frames_to_bare_broadcast", told / bare)
    }

    // MARK: The house

    private static func house(in folder: URL) async throws -> (rate: Double, bytes: Int) {
        let store = try Store(folder: folder)
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let hub = try await Hub(store: store, sealing: .random(), logger: logger)
        let lamps = (0..<10).map(lamp)
        for lamp in lamps { try await hub.devices.announce(lamp) }
        guard let claim = try await hub.house.newClaimToken() else { preconditionFailure("a new house has no owner") }
        let tokens = try await hub.people.claim(
            .init(
                token: claim, username: "owner", password: Secret("correct horse battery"), name: nil, houseName: "House", timeZone: "UTC"),
            origin: .house)
        var settings = HTTPSettings(hosts: [])
        settings.limits.connectionsPerAddress = listeners * 2
        settings.limits.connections = listeners * 2
        let door = try HTTPDoor(hub: hub, mind: try Mind(of: hub, logger: logger), settings: settings, address: PublicAddress())
        let port = AsyncStream<Int>.makeStream()
        let application = door.application(listen: .hostname("127.0.0.1", port: 0), logger: logger) {
            port.continuation.yield($0.localAddress?.port ?? 0)
        }
        let group = ServiceGroup(configuration: .init(services: hub.services + [application], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var ports = port.stream.makeAsyncIterator()
            let counter = Counter()
            let crowd = try await Crowd.enter(
                port: await ports.next() ?? 0, count: listeners, hello: upgrade(tokens.access.reveal()), counter: counter)
            // Everybody is in when everybody has their snapshot; one event tells how long an event is.
            try await counter.settle()
            let before = counter.bytes
            try await hub.devices.report([change(of: 0, to: 1)])
            try await counter.wait(for: before + 1)
            try await counter.settle()
            let one = (counter.bytes - before) / listeners
            let start = counter.bytes
            let took = try await ContinuousClock().measure {
                for index in 0..<events / 10 {
                    try await hub.devices.report((0..<10).map { change(of: $0, to: 10 + index) })
                }
                // The last events may be a digit longer or shorter; nearly all is all.
                try await counter.wait(for: start + one * listeners * events * 99 / 100)
            }
            try await crowd.leave()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return (rate(of: events * listeners, in: took), one * events)
        }
    }

    private static func upgrade(_ token: String) -> ByteBuffer {
        ByteBuffer(
            string: """
                GET /api/v1/realtime HTTP/1.1\r
                Host: 127.0.0.1\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Authorization: Bearer \(token)\r
                \r

                """)
    }

    private static func lamp(_ index: Int) -> Device {
        Device(
            id: "lamp-\(index)", name: "Lamp \(index)", deviceClass: .light, integration: "none", status: .online, stateChangedAt: Date(),
            entities: [Entity(id: "light.lamp_\(index)", kind: .light, name: "Lamp", verbs: [.on, .off, .setBrightness])])
    }

    private static func change(of index: Int, to level: Int) -> EntityReport {
        EntityReport(entityID: "light.lamp_\(index)", state: EntityState("on", attributes: ["brightness": .number(Double(level))]))
    }

    // MARK: Bare NIO

    private static func broadcast(_ size: Int) async throws -> Double {
        let channels = Mutex<[any Channel]>([])
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channels.withLock { $0.append(channel) }
                return channel.eventLoop.makeSucceededVoidFuture()
            }.bind(host: "127.0.0.1", port: 0).get()
        let counter = Counter()
        let crowd = try await Crowd.enter(port: server.localAddress?.port ?? 0, count: listeners, hello: ByteBuffer(), counter: counter)
        while channels.withLock({ $0.count }) < listeners { try await Task.sleep(for: .milliseconds(5)) }
        let frame = ByteBuffer(repeating: 0x61, count: size)
        let byLoop = Dictionary(grouping: channels.withLock { $0 }, by: { ObjectIdentifier($0.eventLoop) })
        let took = try await ContinuousClock().measure {
            for batch in 0..<events / 10 {
                // As the house is paced by its commits: never more than a batch in the air, or the queues are what is measured.
                try await counter.wait(for: size * listeners * (batch - 1) * 10)
                for group in byLoop.values {
                    group.first?.eventLoop.execute {
                        for channel in group {
                            for _ in 0..<10 { channel.write(frame, promise: nil) }
                            channel.flush()
                        }
                    }
                }
            }
            try await counter.wait(for: size * listeners * events * 99 / 100)
        }
        try await crowd.leave()
        try await server.close()
        return rate(of: events * listeners, in: took)
    }
}

/// Bytes that all listeners have read together.
private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var bytes: Int { count.load(ordering: .relaxed) }
    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }

    func wait(for bytes: Int) async throws {
        while self.bytes < bytes { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Until nothing has come for a while.
    func settle() async throws {
        var last = -1
        while last != bytes {
            last = bytes
            try await Task.sleep(for: .milliseconds(300))
        }
    }
}

/// Connections that read all they are sent.
private struct Crowd: Sendable {
    private let channels: [any Channel]

    static func enter(port: Int, count: Int, hello: ByteBuffer, counter: Counter) async throws -> Crowd {
        var channels: [any Channel] = []
        for _ in 0..<count {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Listener(counter: counter)) }
                }.connect(host: "127.0.0.1", port: port).get()
            if hello.readableBytes > 0 { try await channel.writeAndFlush(hello).get() }
            channels.append(channel)
        }
        return Crowd(channels: channels)
    }

    func leave() async throws {
        for channel in channels { try? await channel.close() }
    }
}

private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let counter: Counter
    private var isIn = false

    init(counter: Counter) { self.counter = counter }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        // After the 101: a masked frame (the mask is zero) that asks for a snapshot.
        if !isIn, String(buffer: bytes).hasPrefix("HTTP/1.1 101") {
            isIn = true
            var frame = ByteBuffer(bytes: [0x81, 0x80 | 20, 0, 0, 0, 0])
            frame.writeString(#"{"type":"subscribe"}"#)
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            return
        }
        counter.add(bytes.readableBytes)
    }
}
