import NIOCore

/// A reader of server-sent events, from outside the task that writes to it.
struct StreamHandle: Sendable {
    /// What is to be written, in order, until the reader is let go.
    let lines: AsyncStream<ByteBuffer>
    private let next: AsyncStream<ByteBuffer>.Continuation
    private let channel: any Channel

    /// How long the end of an answer may take. With the time in which a revocation is noticed it is less than a second.
    private static let farewell = TimeAmount.milliseconds(500)

    init(channel: any Channel) {
        (lines, next) = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingOldest(1024))
        self.channel = channel
    }

    /// A reader that does not read shall be noticed by us, and not hide in the kernel's buffer for megabytes.
    func limitBuffers() async throws {
        try await channel.setOption(.socketOption(.so_sndbuf), value: 128 * 1024).get()
    }

    /// Has lines written. Whoever is too far behind is let go, and comes back with their cursor.
    func send(_ lines: [ByteBuffer]) {
        for line in lines {
            if case .dropped = next.yield(line) { return close() }
        }
    }

    /// Ends the answer, and then the connection. A reader that reads nothing keeps the last write waiting: nobody is waited for long.
    func close() {
        next.finish()
        let channel = channel
        channel.eventLoop.scheduleTask(in: Self.farewell) { channel.close(promise: nil) }
    }
}
