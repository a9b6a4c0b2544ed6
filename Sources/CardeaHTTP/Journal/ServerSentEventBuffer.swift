import NIOCore
import Synchronization

/// A reader of server-sent events, from outside the task that writes to it.
final class ServerSentEventBuffer: Sendable {
    /// The bytes to write, in order, until the reader is disconnected. Each chunk is passed to `didDequeue` right before it is written.
    let chunks: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private let channel: any Channel
    /// Bytes that wait for the reader.
    private let backlog = Atomic(0)

    /// Bytes that may wait before the reader is disconnected. The limit is in bytes and not in events, as one commit may change a thousand
    /// devices.
    private static let maxBacklog = 1 << 20
    /// The time limit for the end of an answer. Together with the time in which a revocation is noticed, it is less than a second.
    private static let closeTimeout = TimeAmount.milliseconds(500)

    init(channel: any Channel) {
        (chunks, continuation) = AsyncStream<ByteBuffer>.makeStream()
        self.channel = channel
    }

    /// A reader that does not read must be noticed here, and not hidden by megabytes of the kernel's buffer.
    func limitBuffers() async throws {
        try await channel.setOption(.socketOption(.so_sndbuf), value: 128 * 1024).get()
    }

    /// Queues bytes to be written. A reader that is too far behind is disconnected, and comes back with its cursor.
    func send(_ bytes: ByteBuffer) {
        guard backlog.load(ordering: .relaxed) < Self.maxBacklog else { return close() }
        backlog.add(bytes.readableBytes, ordering: .relaxed)
        continuation.yield(bytes)
    }

    func didDequeue(_ bytes: ByteBuffer) { backlog.subtract(bytes.readableBytes, ordering: .relaxed) }

    /// Ends the answer, and then the connection. A reader that reads nothing keeps the last write waiting, so the wait has a limit.
    func close() {
        continuation.finish()
        let channel = channel
        channel.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
    }
}
