import CardeaClient
import CardeaClientNIO
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import NIOCore
import NIOPosix
import NIOWebSocket
import Synchronization
import Testing

/// As many subscribers as the hub has places for, and one that does not read.
///
/// The speed is printed and not judged: `make bench` judges speed. `CARDEA_CROWD_SECONDS` makes it longer.
@Suite("Realtime load", .serialized, .timeLimit(.minutes(10)))
struct RealtimeLoadTests {
    private static let size = 1000
    private static let changes = 10 * (ProcessInfo.processInfo.environment["CARDEA_CROWD_SECONDS"].flatMap(Int.init) ?? 4)

    @Test("A thousand listeners get ten changes a second in order; a stalled one is closed and can resume")
    func thousand() async throws {
        try Self.raiseFileLimit(3 * Self.size)
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-crowd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestHouse.open(store: try Store(folder: folder)) { house in
            let (_, tokens) = try await house.claim()
            try await Self.installAttic(house)
            // The connection limits stay: 64 per address, 1 024 in all.
            try await house.withServer { port in
                let crowd = try await ListenerPool.connect(Self.size, port: port, token: tokens.access)
                let witness = try await ListenerPool.SingleListener.connect(
                    port: port, token: tokens.access, from: "127.0.0.100", device: "attic")
                let stuck = try await ListenerPool.SingleListener.connect(
                    port: port, token: tokens.access, from: "127.0.0.100", device: "attic")
                // A client that still catches up is waited for, and not disconnected: on a busy machine that took longer than the first
                // messages.
                try await waitUntil { try await Self.listeners(port) == Double(Self.size + 2) }
                try await stuck.stopReading()

                var (sent, shouts) = ([NIODeadline](), 0)
                let start = ContinuousClock.now
                for change in 0..<Self.changes {
                    try await Task.sleep(until: start + .milliseconds(100) * change)
                    sent.append(.now())
                    try await Self.report("light.hall", "on", ["brightness": .number(Double(change % 100))], house)
                    // Never more than one in flight to the witness, so that only a client that does not read is disconnected.
                    guard shouts < Self.largeUpdates, witness.arrivals.now.events == shouts else { continue }
                    try await Self.report("sensor.attic", "\(change)", ["log": .string(Self.largeText)], house)
                    shouts += 1
                }
                while shouts < Self.largeUpdates {
                    try await witness.arrivals.until("the witness has heard the last one") { $0.events == shouts }
                    try await Self.report("sensor.attic", "late \(shouts)", ["log": .string(Self.largeText)], house)
                    shouts += 1
                }

                let heard = try await crowd.received(Self.changes)
                let numbers = try #require(heard.first?.numbers)
                #expect(numbers.count == Self.changes && numbers == Set(numbers).sorted())
                #expect(heard.allSatisfy { $0.numbers == numbers }, "somebody missed a change, or heard one twice or too early")
                crowd.report(heard, sent: sent)

                try await witness.arrivals.until("the witness has heard the attic") { $0.events == Self.largeUpdates }
                let all = try await witness.member.received().numbers
                let first = try await stuck.resumeReading()
                let last = try #require(first.last, "not even the first was heard")
                #expect(first.count < all.count && Array(all.prefix(first.count)) == first, "nobody let the stuck reader go")
                let back = try await ListenerPool.SingleListener.connect(
                    port: port, token: tokens.access, from: "127.0.0.100", device: "attic", after: last)
                try await back.arrivals.until("the rest is there") { $0.events == all.count - first.count }
                #expect(first + (try await back.member.received().numbers) == all)
                try await crowd.disconnect()
            }
        }
    }

    /// The number of subscribers, by the hub's own count.
    private static func listeners(_ port: Int) async throws -> Double? {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/metrics"))
        let answer = try await withNIOTransport { try await $0.send(TransportRequest(method: .get, url: url)) }
        let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix("cardea_realtime_listeners ") }?.split(separator: " ").last.flatMap { Double($0) }
    }

    /// Large updates of a device in the attic: together they exceed a socket's buffers a few times over.
    private static let largeUpdates = 20
    private static let largeText = String(repeating: "dust ", count: 10_000)

    private static func installAttic(_ house: TestHouse) async throws {
        let entity = Entity(id: "sensor.attic", kind: .sensor, name: "Attic", verbs: [], state: EntityState("0"))
        try await house.hub.devices.announce(
            Device(
                id: "attic", name: "Attic", deviceClass: .sensor, integration: "scripted", status: .online, stateChangedAt: house.clock.now,
                entities: [entity]))
    }

    private static func report(_ entity: String, _ value: String, _ attributes: [String: JSONValue], _ house: TestHouse) async throws {
        try await house.hub.devices.report([EntityReport(entityID: entity, state: EntityState(value, attributes: attributes))])
    }

    /// Raises the limit of open files: this process has both ends of each connection.
    private static func raiseFileLimit(_ count: Int) throws {
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        try #require(limit.rlim_max >= count, "a process may open \(limit.rlim_max) files here; allow \(count) with ulimit -n")
        limit.rlim_cur = limit.rlim_max
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    }
}

/// Many subscribers, with swift-nio's own client.
private struct ListenerPool: Sendable {
    let members: [Listener]
    private let arrivals: ArrivalCounter

    struct Listener: Sendable {
        let channel: any Channel
        let ear: NIOLoopBound<CountingHandler>

        /// The events received, read on the connection's event loop.
        func received() async throws -> CountingHandler.ReceivedEvents {
            try await channel.eventLoop.submit { [ear] in ear.value.received }.get()
        }
    }

    /// Connects from as many local addresses as the hub's limit per address requires.
    static func connect(_ size: Int, port: Int, token: Secret) async throws -> ListenerPool {
        let arrivals = ArrivalCounter()
        let members = try await withThrowingTaskGroup(of: [Listener].self) { group in
            for address in 1...16 {
                group.addTask {
                    var mine: [Listener] = []
                    for _ in stride(from: address, through: size, by: 16) {
                        mine.append(try await dial(port, token, "127.0.0.\(address)", #"["hall-light"]"#, arrivals))
                    }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try await arrivals.until("everybody has their snapshot") { $0.snapshots == size }
        return ListenerPool(members: members, arrivals: arrivals)
    }

    private static func dial(
        _ port: Int, _ token: Secret, _ address: String, _ devices: String, _ arrivals: ArrivalCounter, after: Int? = nil,
        receiveBuffer: Int? = nil
    ) async throws -> Listener {
        let channel = try await NIOWebSocketClient.open(port, token: token, from: address, receiveBuffer: receiveBuffer) {
            CountingHandler(arrivals)
        }
        let subscribe =
            #"{"type":"subscribe","after":\#(after.map(String.init) ?? "null"),"kinds":["device_update"],"devices":\#(devices)}"#
        try await channel.writeAndFlush(
            WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: subscribe)))
        return try await channel.eventLoop.submit {
            Listener(
                channel: channel,
                ear: NIOLoopBound(try channel.pipeline.syncOperations.handler(type: CountingHandler.self), eventLoop: channel.eventLoop))
        }.get()
    }

    /// The events that each member received, once each has received `count`.
    func received(_ count: Int) async throws -> [CountingHandler.ReceivedEvents] {
        try await arrivals.until("everybody has heard everything") { $0.events >= count * members.count }
        var heard: [CountingHandler.ReceivedEvents] = []
        for member in members { heard.append(try await member.received()) }
        return heard
    }

    func report(_ heard: [CountingHandler.ReceivedEvents], sent: [NIODeadline]) {
        let times = heard.flatMap { zip($0.times, sent).map { ($0 - $1).nanoseconds } }.sorted()
        guard let first = sent.first, let last = heard.compactMap(\.times.last).max(), let most = times.last else { return }
        func milliseconds(_ nanoseconds: Int64) -> String { String(format: "%.1f ms", Double(nanoseconds) / 1e6) }
        let rate = Double(times.count) / (Double((last - first).nanoseconds) / 1e9)
        print(
            "\(members.count) listeners, \(sent.count) changes: \(Int(rate)) frames/s; from the report to the listener",
            "p50 \(milliseconds(times[times.count / 2])), p99 \(milliseconds(times[times.count * 99 / 100])), most \(milliseconds(most))")
    }

    func disconnect() async throws {
        for member in members { try await member.channel.close() }
    }

    /// A single subscriber.
    struct SingleListener: Sendable {
        let member: Listener
        let arrivals: ArrivalCounter

        /// Returns once it is subscribed.
        static func connect(port: Int, token: Secret, from address: String, device: String, after: Int? = nil) async throws
            -> SingleListener
        {
            let arrivals = ArrivalCounter()
            let member = try await dial(port, token, address, #"["\#(device)"]"#, arrivals, after: after, receiveBuffer: 8192)
            try await arrivals.until("it is in") { $0.subscriptions == 1 && (after != nil || $0.snapshots == 1) }
            return SingleListener(member: member, arrivals: arrivals)
        }

        func stopReading() async throws { try await member.channel.setOption(.autoRead, value: false).get() }

        /// Reads the rest up to the end, and returns the numbers of all events.
        func resumeReading() async throws -> [Int] {
            try await member.channel.setOption(.autoRead, value: true).get()
            try await arrivals.until("the hub has hung up") { $0.endings == 1 }
            return try await member.received().numbers
        }
    }
}

/// The total number of arrivals.
private final class ArrivalCounter: Sendable {
    struct Count: Sendable {
        var subscriptions = 0
        var snapshots = 0
        var events = 0
        var endings = 0
    }

    private let count = Mutex(Count())

    var now: Count { count.withLock { $0 } }

    func record(_ change: (inout Count) -> Void) { count.withLock { change(&$0) } }

    /// Ten thousand arrive per second, so waiting tasks are not woken for each.
    func until(_ what: String, _ isSo: (Count) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            let now = now
            if isSo(now) { return }
            try #require(ContinuousClock.now < deadline, "waited in vain until \(what); it was \(now)")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// Records the number and the time of each event, without parsing it further.
private final class CountingHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    struct ReceivedEvents: Sendable {
        var numbers: [Int] = []
        var times: [NIODeadline] = []
    }

    private static let event = Array(#"{"seq":"#.utf8)
    private static let subscribed = Array(#"{"type":"subscribed""#.utf8)
    private static let snapshot = Array(#"{"type":"snapshot""#.utf8)

    private(set) var received = ReceivedEvents()
    private let arrivals: ArrivalCounter

    init(_ arrivals: ArrivalCounter) { self.arrivals = arrivals }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let bytes = frame.unmaskedData.readableBytesView
        switch frame.opcode {
        case .text where bytes.starts(with: Self.event):
            received.numbers.append(
                bytes.dropFirst(Self.event.count).prefix { $0 != UInt8(ascii: ",") }.reduce(0) { $0 * 10 + Int($1) - 48 })
            received.times.append(.now())
            arrivals.record { $0.events += 1 }
        case .text where bytes.starts(with: Self.subscribed): arrivals.record { $0.subscriptions += 1 }
        case .text where bytes.starts(with: Self.snapshot): arrivals.record { $0.snapshots += 1 }
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        arrivals.record { $0.endings += 1 }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
