import Foundation
import Synchronization

/// Reachability of the hub, as observed by the calls of this client (Seed 004, item 37).
public final class Reachability: Sendable {
    public enum State: Hashable, Sendable {
        /// No request was sent yet.
        case unknown
        case reachable
        /// No connection can be made.
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

    /// The device's present type of network connection. It does not show that the house is reachable.
    public var connectionType: ConnectionType { .current }

    /// The present state, then each change. A late reader gets only the latest.
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

    /// Records the result of one exchange. An answer that was cut short proves that the hub is reachable.
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
            // Under the lock, so that listeners get changes in their order.
            for listener in watch.listeners.values { listener.yield(state) }
        }
    }
}
