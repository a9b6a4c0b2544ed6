import NIOCore
import Synchronization

/// A reader of server-sent events, from outside the task that writes to it.
final class ServerSentEventStream: Sendable {
    /// What is to be written, in order, until the reader is let go. Each is told as `taken` when it is about to be.
    let chunks: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private let channel: any Channel
    /// Bytes that wait for the reader.
    private let backlog = Atomic(0)

    /// Bytes that may wait before more is told: by them and not by events, as one commit may change a thousand devices.
    private static let maxBacklog = 1 << 20
    /// How long the end of an answer may take. With the time in which a revocation is noticed it is less than a second.
    private static let closeTimeout = TimeAmount.milliseconds(500)

    init(channel: any Channel) {
        (chunks, continuation) = AsyncStream<ByteBuffer>.makeStream()
        self.channel = channel
    }

    /// A reader that does not read shall be noticed by us, and not hide in the kernel's buffer for megabytes.
    func limitBuffers() async throws {
        try await channel.setOption(.socketOption(.so_sndbuf), value: 128 * 1024).get()
    }

    /// Has something written. Whoever is too far behind is let go, and comes back with their cursor.
    func send(_ bytes: ByteBuffer) {
        guard backlog.load(ordering: .relaxed) < Self.maxBacklog else { return close() }
        backlog.add(bytes.readableBytes, ordering: .relaxed)
        continuation.yield(bytes)
    }

    func didDequeue(_ bytes: ByteBuffer) { backlog.subtract(bytes.readableBytes, ordering: .relaxed) }

    /// Ends the answer, and then the connection. A reader that reads nothing keeps the last write waiting: nobody is waited for long.
    func close() {
        continuation.finish()
        let channel = channel
        channel.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
    }
}
