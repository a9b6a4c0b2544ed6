import Synchronization

/// A buffer for messages until they are read: a read returns all that are there, without any timer.
final class MessageBuffer: Sendable {
    private struct State {
        var waiting: [ReceivedMessage] = []
        var bytes = 0
        var dropped = 0
    }

    private let limit: Int
    /// Bytes of payload that may wait.
    private static let byteLimit = 16 * 1024 * 1024
    private let state = Mutex(State())
    private let signal: AsyncStream<Void>.Continuation
    let signals: AsyncStream<Void>

    init(limit: Int) {
        self.limit = max(2, limit)
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func append(_ message: ReceivedMessage) {
        state.withLock { state in
            if state.waiting.count >= limit || state.bytes + message.payload.count > Self.byteLimit {
                // Half is dropped at once, so that a flood does not shift the array for every message.
                let surplus = (state.waiting.count + 1) / 2
                state.bytes -= state.waiting.prefix(surplus).reduce(0) { $0 + $1.payload.count }
                state.waiting.removeFirst(surplus)
                state.dropped += surplus
            }
            state.waiting.append(message)
            state.bytes += message.payload.count
        }
        signal.yield()
    }

    func drain() -> [ReceivedMessage] {
        state.withLock { state in
            defer { (state.waiting, state.bytes) = ([], 0) }
            return state.waiting
        }
    }

    var dropped: Int { state.withLock(\.dropped) }

    func close() { signal.finish() }
}

/// The messages from the broker, in the batches in which they arrived. For one reader.
public struct ReceivedMessages: AsyncSequence, Sendable {
    let inbox: MessageBuffer

    public func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox) }

    public struct Iterator: AsyncIteratorProtocol {
        private let inbox: MessageBuffer
        private var rings: AsyncStream<Void>.Iterator

        init(inbox: MessageBuffer) {
            self.inbox = inbox
            rings = inbox.signals.makeAsyncIterator()
        }

        /// All waiting messages, or nil once the connection has ended and everything was read.
        public mutating func next() async -> [ReceivedMessage]? {
            while true {
                let batch = inbox.drain()
                if !batch.isEmpty { return batch }
                guard await rings.next() != nil else {
                    let rest = inbox.drain()
                    return rest.isEmpty ? nil : rest
                }
            }
        }
    }
}
