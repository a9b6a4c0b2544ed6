import NIOCore
import Synchronization

/// Gives every open connection a place, and makes room for a newcomer when the places are taken.
///
/// A connection is a stranger's until a good credential is shown on it. A quarter of the places is kept for known connections. When the
/// strangers' places are taken, a newcomer gets the place of the stranger that has been idle longest. A known connection is never closed.
///
/// The places are searched one by one, and only when they are taken: 1 024 of them cost less than the newcomer's TLS handshake.
final class ConnectionLimiter: Sendable {
    /// A stranger's connection keeps its place for this long after it opened while the hub owes it an answer.
    static let busyGracePeriod = TimeAmount.seconds(10)

    private let limitPerAddress: Int
    private let limit: Int
    private let unauthenticatedLimit: Int
    private let state = Mutex(State())

    init(perAddress: Int, total: Int) {
        self.limitPerAddress = perAddress
        self.limit = total
        unauthenticatedLimit = total - total / 4
    }

    /// More than half of the strangers' places are taken.
    var isUnderPressure: Bool { state.withLock { $0.unauthenticatedCount } * 2 > unauthenticatedLimit }

    /// Takes a place, or returns nil when all are taken by connections that stay.
    ///
    /// - Parameters:
    ///   - address: connections are limited by it; nil for a trusted proxy, which brings many callers.
    ///   - close: closes the connection; called when its place is given to another.
    func acquire(_ address: String?, at now: NIODeadline = .now(), close: @escaping @Sendable () -> Void) -> ConnectionSlot? {
        let newcomer = ConnectionSlot(in: self, address: address, at: now, close: close)
        switch state.withLock({ admit(newcomer, into: &$0, at: now) }) {
        case .rejected: return nil
        case .admitted(let evicted):
            evicted?.close()
            return newcomer
        }
    }

    private enum Admission: Sendable {
        case rejected
        case admitted(evicted: ConnectionSlot?)
    }

    private func admit(_ newcomer: ConnectionSlot, into taken: inout State, at now: NIODeadline) -> Admission {
        var evicted: ConnectionSlot?
        if let address = newcomer.address, taken.count(of: address) >= limitPerAddress {
            evicted = taken.evictionCandidate(at: now) { $0.address == address }
            if evicted == nil { return .rejected }
        } else if taken.unauthenticatedCount >= unauthenticatedLimit || taken.slots.count >= limit {
            evicted = taken.evictionCandidate(at: now) { _ in true }
            if evicted == nil { return .rejected }
        }
        if let evicted { taken.remove(evicted) }
        taken.add(newcomer)
        return .admitted(evicted: evicted)
    }

    func release(_ place: ConnectionSlot) {
        state.withLock { $0.remove(place) }
    }

    func mark(_ place: ConnectionSlot, isKnown: Bool) {
        state.withLock { $0.mark(place, isKnown: isKnown) }
    }

    private struct State {
        private(set) var slots: [ObjectIdentifier: ConnectionSlot] = [:]
        private(set) var unauthenticatedCount = 0
        private var byAddress: [String: Int] = [:]

        func count(of address: String) -> Int { byAddress[address] ?? 0 }

        mutating func add(_ place: ConnectionSlot) {
            slots[ObjectIdentifier(place)] = place
            unauthenticatedCount += 1
            if let address = place.address { byAddress[address, default: 0] += 1 }
        }

        /// Does nothing for a place that was given to another before.
        mutating func remove(_ place: ConnectionSlot) {
            guard slots.removeValue(forKey: ObjectIdentifier(place)) != nil else { return }
            if !place.isAuthenticated { unauthenticatedCount -= 1 }
            guard let address = place.address, let count = byAddress[address] else { return }
            byAddress[address] = count > 1 ? count - 1 : nil
        }

        mutating func mark(_ place: ConnectionSlot, isKnown: Bool) {
            guard place.isAuthenticated != isKnown, slots[ObjectIdentifier(place)] != nil else { return }
            place.isAuthenticated = isKnown
            unauthenticatedCount += isKnown ? -1 : 1
        }

        /// If no stranger is idle, it is the one that opened first, unless even that one is new: otherwise requests without a pause would
        /// keep their places forever.
        func evictionCandidate(at now: NIODeadline, where isCandidate: (ConnectionSlot) -> Bool) -> ConnectionSlot? {
            var mostIdle: (place: ConnectionSlot, since: NIODeadline)?
            var oldest: ConnectionSlot?
            for place in slots.values where !place.isAuthenticated && isCandidate(place) {
                if let since = place.idleSince {
                    if since < mostIdle?.since ?? .distantFuture { mostIdle = (place, since) }
                } else if place.openedAt + ConnectionLimiter.busyGracePeriod <= now, place.openedAt < oldest?.openedAt ?? .distantFuture {
                    oldest = place
                }
            }
            return mostIdle?.place ?? oldest
        }
    }
}
