import CardeaAutomations
import CardeaHTTP
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaMindAdapter
import CardeaStore
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Events delivered to many subscribers, each event durable before it is sent, compared with a bare NIO server that writes the same bytes
/// to as many connections; and the delay of ten events a second to a thousand subscribers.
enum RealtimeBenchmark {
    private static let listeners = 500
    private static let events = 400
    /// The target on two cores: with `crowd` subscribers and ten events a second, 99 of 100 deliveries take at most `within` seconds.
    private static let crowd = 1000
    private static let within = 0.2

    static func run(_ report: inout Report) async throws {
        allowFiles(3 * crowd)
        print("Realtime, \(listeners) listeners, \(events) events")
        let (told, bytes) = try await DoorCommandBenchmark.inFolder { try await frames(in: $0) }
        report.figure("frames told by the house", told, "/s")
        let bare = try await broadcast(bytes / events)
        report.figure("the same bytes, broadcast by bare NIO", bare, "/s")
        report.ratio("realtime_frames_to_bare_broadcast", told / bare)

        print("Realtime, \(crowd) listeners, 10 events a second")
        let late = try await DoorCommandBenchmark.inFolder { try await latenesses(in: $0) }
        report.figure("from when it was due to the listener, half of them within", late[late.count / 2] * 1000, "ms")
        report.figure("from when it was due to the listener, 99 of 100 within", late[late.count * 99 / 100] * 1000, "ms")
        report.figure("from when it was due to the listener, at most", (late.last ?? 0) * 1000, "ms")
        report.ratio("realtime_event_to_1000_listeners_within_200_ms", within / late[late.count * 99 / 100])
    }

    /// Raises the limit of open files: this process has both ends of each connection.
    private static func allowFiles(_ count: Int) {
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        let most = limit.rlim_max
        precondition(isKnown && most >= count, "a process may open \(most) files here; allow \(count) with ulimit -n")
        limit.rlim_cur = most
        let isSet = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        precondition(isSet, "a process may not open as many files as it may")
    }

    // MARK: The house

    /// Frames per second, and the size of all events together.
    private static func frames(in folder: URL) async throws -> (rate: Double, bytes: Int) {
        try await house(in: folder, listeners: listeners) { hub, counter -> (rate: Double, bytes: Int) in
            // One event gives the length of an event.
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
                // The last events may be a digit longer or shorter: 99 % counts as all.
                try await counter.wait(for: start + one * listeners * events * 99 / 100)
            }
            return (rate(of: events * listeners, in: took), one * events)
        }
    }

    /// Seconds from each event's due time to each delivery, in rising order: a delayed event delays those behind it as well. The first of
    /// eleven seconds is not counted.
    private static func latenesses(in folder: URL) async throws -> [Double] {
        let (warm, told) = (10, 110)
        let lateness = Lateness(after: warm)
        try await house(in: folder, listeners: crowd, lateness: lateness) { hub, _ -> Void in
            try await lateness.wait(forListeners: crowd)
            let (begun, start) = (NIODeadline.now(), ContinuousClock.now)
            for number in 0..<told {
                try await Task.sleep(until: start + .milliseconds(100) * number)
                lateness.say(dueAt: begun + .milliseconds(Int64(100 * number)))
                try await hub.devices.report([change(of: number % 10, to: 10 + number / 10)])
            }
            try await lateness.wait(forEvents: told * crowd)
        }
        let seconds = lateness.seconds
        precondition(seconds.count == (told - warm) * crowd, "somebody heard more or less than was told")
        return seconds
    }

    /// A house with subscribers, each with its snapshot.
    private static func house<Result: Sendable>(
        in folder: URL, listeners count: Int, lateness: Lateness? = nil, _ body: (Hub, Counter) async throws -> Result
    ) async throws -> Result {
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
        settings.limits.connectionsPerAddress = count * 2
        settings.limits.connections = count * 2
        let automations = try Automations(of: hub, logger: logger)
        let door = try HubApplication(
            hub: hub, mind: try Mind(of: hub, automations: automations, logger: logger), automations: automations, settings: settings,
            address: CurrentPublicURL())
        let port = AsyncStream<Int>.makeStream()
        let application = door.application(listen: .hostname("127.0.0.1", port: 0), logger: logger) {
            port.continuation.yield($0.localAddress?.port ?? 0)
        }
        let group = ServiceGroup(configuration: .init(services: hub.services + [application], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var ports = port.stream.makeAsyncIterator()
            let counter = Counter()
            let crowd = try await ListenerPool.enter(
                port: await ports.next() ?? 0, count: count, hello: upgrade(tokens.access.reveal()), counter: counter, lateness: lateness)
            // Each subscriber is ready when it has its snapshot.
            try await counter.settle()
            let result = try await body(hub, counter)
            try await crowd.leave()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
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
        let crowd = try await ListenerPool.enter(
            port: server.localAddress?.port ?? 0, count: listeners, hello: ByteBuffer(), counter: counter)
        try await untilThere(listeners, "listeners at the bare server") { channels.withLock { $0.count } }
        let frame = ByteBuffer(repeating: 0x61, count: size)
        let byLoop = Dictionary(grouping: channels.withLock { $0 }, by: { ObjectIdentifier($0.eventLoop) })
        let took = try await ContinuousClock().measure {
            for batch in 0..<events / 10 {
                // At the house's pace of commits: never more than one batch in flight, or the queues would be measured.
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

/// Waits until there are that many, and fails with a message if the number has not grown for a minute: a subscriber was disconnected.
private func untilThere(_ count: Int, _ what: String, every pause: Duration = .milliseconds(5), _ now: () -> Int) async throws {
    var (last, since) = (now(), ContinuousClock.now)
    while last < count {
        try await Task.sleep(for: pause)
        let found = now()
        if found != last { (last, since) = (found, ContinuousClock.now) }
        guard since.duration(to: .now) < .seconds(60) else {
            print("\(count) \(what) are waited for, and for a minute there have been \(found). Somebody was hung up on, or hears nothing.")
            exit(1)
        }
    }
}

/// The bytes read by all subscribers together.
private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var bytes: Int { count.load(ordering: .relaxed) }
    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }

    func wait(for bytes: Int) async throws {
        try await untilThere(bytes, "bytes", every: .milliseconds(1)) { self.bytes }
    }

    /// Waits until nothing has arrived for a while.
    func settle() async throws {
        var last = -1
        while last != bytes {
            last = bytes
            try await Task.sleep(for: .milliseconds(300))
        }
    }
}

/// The delay of each event at each subscriber.
private final class Lateness: Sendable {
    private struct State {
        var listeners = 0
        var due: [NIODeadline] = []
        var heard = 0
        var late: [TimeAmount] = []
    }

    private let state = Mutex(State())
    /// Events at the beginning that are not counted.
    private let warm: Int

    init(after warm: Int) { self.warm = warm }

    /// Counts a subscriber with its snapshot.
    func enter() { state.withLock { $0.listeners += 1 } }

    /// Reports the next event now, with its due time.
    func say(dueAt moment: NIODeadline) { state.withLock { $0.due.append(moment) } }

    /// Records the delivery of an event by its number, from 0 on.
    func hear(_ number: Int) {
        let now = NIODeadline.now()
        state.withLock { state in
            precondition(state.due.indices.contains(number), "an event is heard that nobody told")
            state.heard += 1
            if number >= warm { state.late.append(now - state.due[number]) }
        }
    }

    func wait(forListeners count: Int) async throws {
        try await untilThere(count, "listeners with a snapshot") { state.withLock { $0.listeners } }
    }

    /// Waits until they have received that many together.
    func wait(forEvents heard: Int) async throws {
        try await untilThere(heard, "events, heard by one listener or another,") { state.withLock { $0.heard } }
    }

    /// In rising order.
    var seconds: [Double] { state.withLock { $0.late.map { Double($0.nanoseconds) / 1e9 } }.sorted() }
}

/// Connections that read everything they are sent.
private struct ListenerPool: Sendable {
    private let channels: [any Channel]

    static func enter(
        port: Int, count: Int, hello: ByteBuffer, counter: Counter, lateness: Lateness? = nil
    ) async throws -> ListenerPool {
        var channels: [any Channel] = []
        for _ in 0..<count {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Listener(counter: counter, lateness: lateness))
                    }
                }.connect(host: "127.0.0.1", port: port).get()
            if hello.readableBytes > 0 { try await channel.writeAndFlush(hello).get() }
            channels.append(channel)
        }
        return ListenerPool(channels: channels)
    }

    func leave() async throws {
        for channel in channels { try? await channel.close() }
    }
}

private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let event = Array(#"{"seq":"#.utf8)
    private static let snapshot = Array(#"{"type":"snapshot""#.utf8)

    private let counter: Counter
    private let lateness: Lateness?
    private var isIn = false
    private var unread = ByteBuffer()
    private var heard = 0

    init(counter: Counter, lateness: Lateness?) {
        self.counter = counter
        self.lateness = lateness
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        // After the 101: a masked frame (the mask is zero) that asks for a snapshot.
        if !isIn, String(buffer: bytes).hasPrefix("HTTP/1.1 101") {
            isIn = true
            let text = lateness == nil ? #"{"type":"subscribe"}"# : #"{"type":"subscribe","kinds":["device_update"]}"#
            var frame = ByteBuffer(bytes: [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0])
            frame.writeString(text)
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            return
        }
        counter.add(bytes.readableBytes)
        guard let lateness else { return }
        unread.writeImmutableBuffer(bytes)
        while let frame = Self.frame(of: &unread) {
            if frame.readableBytesView.starts(with: Self.event) {
                lateness.hear(heard)
                heard += 1
            } else if frame.readableBytesView.starts(with: Self.snapshot) {
                lateness.enter()
            }
        }
        unread.discardReadBytes()
    }

    /// The payload of the next frame; nil while it is incomplete. A server's frames have no mask.
    private static func frame(of bytes: inout ByteBuffer) -> ByteBuffer? {
        let start = bytes.readerIndex
        guard let size = bytes.getInteger(at: start + 1, as: UInt8.self) else { return nil }
        var (head, length) = (2, Int(size & 0x7F))
        if length == 126 {
            guard let long = bytes.getInteger(at: start + 2, as: UInt16.self) else { return nil }
            (head, length) = (4, Int(long))
        } else if length == 127 {
            guard let long = bytes.getInteger(at: start + 2, as: UInt64.self) else { return nil }
            (head, length) = (10, Int(long))
        }
        guard bytes.readableBytes >= head + length else { return nil }
        bytes.moveReaderIndex(forwardBy: head)
        return bytes.readSlice(length: length)
    }
}
