import CardeaTestSupport
import NIOCore
import NIOPosix
import Testing

/// A listener that ends drops the connections that it accepted and did not pass on, and SwiftNIO stops the whole process if an
/// `NIOAsyncChannel` is dropped before it was ended. A connection at that moment once stopped the hub.
@Suite("Server shutdown", .timeLimit(.minutes(10)))
struct ListenerShutdownTests {
    @Test("A request during hub shutdown is refused, and nothing crashes")
    func hub() async throws {
        try await TestHouse.open { house in
            for _ in 0..<20 {
                try await Self.withCallers { opened in
                    await #expect(throws: StoppedError.self) {
                        try await house.withServer { port in
                            opened.yield(port)
                            try await Self.call(port)
                            throw StoppedError()
                        }
                    }
                }
            }
        }
    }

    @Test("A request during shutdown of the fault proxy is refused, and nothing crashes")
    func double() async throws {
        for _ in 0..<100 {
            try await Self.withCallers { opened in
                try await FaultProxy.open(to: 1, seed: 1) { proxy in
                    opened.yield(proxy.port)
                    try await Self.call(proxy.port)
                }
            }
        }
    }

    private struct StoppedError: Error {}

    /// Four clients that connect again and again, from when `body` says until there is no answer any more, and that keep their connections.
    private static func withCallers(_ body: @escaping @Sendable (AsyncStream<Int>.Continuation) async throws -> Void) async throws {
        let (ports, opened) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { opened.finish() }
                try await body(opened)
            }
            for await port in ports {
                for _ in 0..<4 { group.addTask { await callRepeatedly(port) } }
            }
            try await group.waitForAll()
        }
    }

    private static func callRepeatedly(_ port: Int) async {
        var lines: [any Channel] = []
        do {
            while lines.count < 40 { lines.append(try await call(port)) }
        } catch {
            // The listener is closed.
        }
        for line in lines { line.close(promise: nil) }
    }

    @discardableResult
    private static func call(_ port: Int) async throws -> any Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(host: "127.0.0.1", port: port).get()
    }
}
