import NIOCore
import Synchronization

/// The place of one open connection. What changes with every request is atomic, so that no request waits for the lock of all places.
final class ConnectionSlot: Sendable {
    /// The slot of the connection whose requests this task answers.
    @TaskLocal static var current: ConnectionSlot?

    let address: String?
    let openedAt: NIODeadline
    let close: @Sendable () -> Void
    private let limiter: ConnectionLimiter
    private let authenticated = Atomic(false)
    private let idle: Atomic<UInt64>

    private static let busy = UInt64.max

    init(in places: ConnectionLimiter, address: String?, at now: NIODeadline, close: @escaping @Sendable () -> Void) {
        self.limiter = places
        self.address = address
        self.close = close
        openedAt = now
        idle = Atomic(now.uptimeNanoseconds)
    }

    /// A good credential was shown on this connection. Written under the lock of all places.
    var isAuthenticated: Bool {
        get { authenticated.load(ordering: .relaxed) }
        set { authenticated.store(newValue, ordering: .relaxed) }
    }

    /// Nil while the hub owes an answer.
    var idleSince: NIODeadline? {
        let since = idle.load(ordering: .relaxed)
        return since == Self.busy ? nil : .uptimeNanoseconds(since)
    }

    /// This connection is still a stranger's, and strangers' places are short.
    var isUnderPressure: Bool { !isAuthenticated && limiter.isUnderPressure }

    /// A good credential was shown. Costs nothing from the second time on.
    func markAuthenticated() {
        if !isAuthenticated { limiter.mark(self, isKnown: true) }
    }

    /// The connection became a WebSocket. It is known by its own credential alone: a proxy may use one connection for several callers.
    func markUpgraded(isKnown: Bool) {
        limiter.mark(self, isKnown: isKnown)
    }

    /// A whole request came, and the hub owes an answer.
    func markBusy() {
        idle.store(Self.busy, ordering: .relaxed)
    }

    /// Everything is answered, or the client does not read its answer.
    func markIdle(at now: NIODeadline = .now()) {
        idle.store(now.uptimeNanoseconds, ordering: .relaxed)
    }

    func release() {
        limiter.release(self)
    }
}
