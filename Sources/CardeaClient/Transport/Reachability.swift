import Foundation
import Synchronization

/// Whether the house can be reached, as far as the calls of this client have shown (Seed 004, item 37).
public final class Reachability: Sendable {
    public enum State: Hashable, Sendable {
        /// Nothing was asked yet.
        case unknown
        case reachable
        /// No connection comes about.
        case unreachable(since: Date)

        public var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
    }

    private struct Observers {
        var state = State.unknown
        var listeners: [Int: AsyncStream<State>.Continuation] = [:]
        var next = 0
    }

    private let observers = Mutex(Observers())

    public var state: State { observers.withLock(\.state) }

    /// How this device is on a network now. It says nothing of the house: one on a network may be as far from it as one in a tunnel.
    public var connectionType: ConnectionType { .current }

    /// How it stands now, and then each time that this changes. Whoever reads late hears the latest.
    public func states() -> AsyncStream<State> {
        let (states, listener) = AsyncStream<State>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = observers.withLock { watch in
            watch.next += 1
            watch.listeners[watch.next] = listener
            listener.yield(watch.state)
            return watch.next
        }
        listener.onTermination = { [weak self] _ in self?.observers.withLock { $0.listeners[id] = nil } }
        return states
    }

    /// What came of one exchange. That an answer was cut short says that somebody is there.
    func record(_ failure: TransportError?, now: () -> Date) {
        switch failure {
        case nil, .interrupted, .tooLarge, .untrusted: change { _ in .reachable }
        case .noConnection: change { $0.isUnreachable ? $0 : .unreachable(since: now()) }
        case .timeout, .cancelled: return
        }
    }

    private func change(_ next: (State) -> State) {
        observers.withLock { watch in
            let state = next(watch.state)
            guard state != watch.state else { return }
            watch.state = state
            // Never under another order than the one in which it changed.
            for listener in watch.listeners.values { listener.yield(state) }
        }
    }
}
