import Synchronization

/// Where messages wait until somebody reads them: all that is there at once, without any timer.
final class Inbox: Sendable {
    private struct State {
        var waiting: [ReceivedMessage] = []
        var dropped = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    private let bell: AsyncStream<Void>.Continuation
    let rings: AsyncStream<Void>

    init(limit: Int) {
        self.limit = max(2, limit)
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ message: ReceivedMessage) {
        state.withLock { state in
            if state.waiting.count >= limit {
                // Half at once, so that a flood costs no move per message.
                let surplus = limit / 2
                state.waiting.removeFirst(surplus)
                state.dropped += surplus
            }
            state.waiting.append(message)
        }
        bell.yield()
    }

    func take() -> [ReceivedMessage] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    var dropped: Int { state.withLock(\.dropped) }

    func close() { bell.finish() }
}

/// What the broker sends, in the batches in which it arrived. For one reader.
public struct ReceivedMessages: AsyncSequence, Sendable {
    let inbox: Inbox

    public func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox) }

    public struct Iterator: AsyncIteratorProtocol {
        private let inbox: Inbox
        private var rings: AsyncStream<Void>.Iterator

        init(inbox: Inbox) {
            self.inbox = inbox
            rings = inbox.rings.makeAsyncIterator()
        }

        /// All that waits, or nil once the connection is over and everything was read.
        public mutating func next() async -> [ReceivedMessage]? {
            while true {
                let batch = inbox.take()
                if !batch.isEmpty { return batch }
                guard await rings.next() != nil else {
                    let rest = inbox.take()
                    return rest.isEmpty ? nil : rest
                }
            }
        }
    }
}
