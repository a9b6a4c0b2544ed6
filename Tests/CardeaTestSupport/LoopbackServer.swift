import CardeaNetwork
import NIOCore
import NIOHTTP1
import NIOPosix

/// A socket on a free loopback port with a test double behind it.
public struct LoopbackServer<Inbound: Sendable, Outbound: Sendable>: Sendable {
    public typealias Connection = NIOAsyncChannel<Inbound, Outbound>

    public let port: Int
    private let server: NIOAsyncChannel<AcceptedConnection<Inbound, Outbound>, Never>

    /// Binds a listener. The caller also runs it.
    ///
    /// - Parameter setUp: adds the handlers between the socket and the test double; runs on the connection's event loop.
    public static func bind(_ setUp: @escaping @Sendable (any Channel) throws -> Void = { _ in }) async throws -> LoopbackServer {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                try setUp(channel)
                return AcceptedConnection(try Connection(wrappingChannelSynchronously: channel))
            }
        }
        return LoopbackServer(port: server.channel.localAddress?.port ?? 0, server: server)
    }

    /// Serves while `body` runs, and closes everything behind it.
    ///
    /// - Parameter serve: one connection, from its first byte to its last.
    public func run<Result: Sendable>(
        serving serve: @escaping @Sendable (Connection) async -> Void, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await server.executeThenClose { connections in
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await connection in connections { group.addTask { await serve(connection.takeOver()) } }
                    }
                }
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let next = try await group.next() {
                if let result = next { return result }
            }
            throw CancellationError()
        }
    }
}

extension LoopbackServer<HTTPServerRequestPart, HTTPServerResponsePart> {
    public static func http() async throws -> LoopbackServer {
        try await bind {
            try $0.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
        }
    }
}
