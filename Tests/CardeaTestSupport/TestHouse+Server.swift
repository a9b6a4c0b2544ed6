import CardeaHTTP
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

extension TestHouse {
    /// Serves the house on a free loopback port while `body` runs, and stops it cleanly afterwards.
    ///
    /// - Parameter door: the server to use; by default the house's own.
    public func withServer<Result: Sendable>(
        through door: HubApplication? = nil, _ body: @escaping @Sendable (_ port: Int) async throws -> Result
    ) async throws -> Result {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = (door ?? self.application).application(listen: .hostname("127.0.0.1", port: 0), logger: .silent) { channel in
            port.yield(channel.localAddress?.port ?? 0)
        }
        let group = ServiceGroup(configuration: .init(services: [application], logger: .silent))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { port.finish() }
                try await group.run()
            }
            var ports = ports.makeAsyncIterator()
            guard let port = await ports.next() else {
                try await tasks.waitForAll()
                throw CancellationError()
            }
            let result = try await body(port)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }
}
