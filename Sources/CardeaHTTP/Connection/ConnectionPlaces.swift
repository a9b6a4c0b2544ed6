import NIOCore
import Synchronization

/// Gives every open connection a place, and makes room for a newcomer when the places are taken.
///
/// A connection is a stranger's until a good credential is shown on it. A quarter of the places is kept for known connections. When the
/// strangers' places are taken, a newcomer gets the place of the stranger that has been idle longest. A known connection is never closed.
///
/// The places are searched one by one, and only when they are taken: 1 024 of them cost less than the newcomer's TLS handshake.
final class ConnectionPlaces: Sendable {
    /// A stranger's connection keeps its place for this long after it opened while the hub owes it an answer.
    static let busyTime = TimeAmount.seconds(10)

    private let perAddress: Int
    private let total: Int
    private let forStrangers: Int
    private let taken = Mutex(Taken())

    init(perAddress: Int, total: Int) {
        self.perAddress = perAddress
        self.total = total
        forStrangers = total - total / 4
    }

    /// More than half of the strangers' places are taken.
    var areShort: Bool { taken.withLock { $0.strangers } * 2 > forStrangers }

    /// Takes a place, or returns nil when all are taken by connections that stay.
    ///
    /// - Parameters:
    ///   - address: connections are limited by it; nil for a trusted proxy, which brings many callers.
    ///   - close: closes the connection; called when its place is given to another.
    func enter(_ address: String?, at now: NIODeadline = .now(), close: @escaping @Sendable () -> Void) -> ConnectionPlace? {
        let newcomer = ConnectionPlace(in: self, address: address, at: now, close: close)
        switch taken.withLock({ admit(newcomer, into: &$0, at: now) }) {
        case .refused: return nil
        case .entered(let evicted):
            evicted?.close()
            return newcomer
        }
    }

    private enum Admission: Sendable {
        case refused
        case entered(evicted: ConnectionPlace?)
    }

    private func admit(_ newcomer: ConnectionPlace, into taken: inout Taken, at now: NIODeadline) -> Admission {
        var evicted: ConnectionPlace?
        if let address = newcomer.address, taken.count(of: address) >= perAddress {
            evicted = taken.mostIdleStranger(at: now) { $0.address == address }
            if evicted == nil { return .refused }
        } else if taken.strangers >= forStrangers || taken.places.count >= total {
            evicted = taken.mostIdleStranger(at: now) { _ in true }
            if evicted == nil { return .refused }
        }
        if let evicted { taken.remove(evicted) }
        taken.add(newcomer)
        return .entered(evicted: evicted)
    }

    fileprivate func leave(_ place: ConnectionPlace) {
        taken.withLock { $0.remove(place) }
    }

    fileprivate func mark(_ place: ConnectionPlace, isKnown: Bool) {
        taken.withLock { $0.mark(place, isKnown: isKnown) }
    }

    private struct Taken {
        private(set) var places: [ObjectIdentifier: ConnectionPlace] = [:]
        private(set) var strangers = 0
        private var byAddress: [String: Int] = [:]

        func count(of address: String) -> Int { byAddress[address] ?? 0 }

        mutating func add(_ place: ConnectionPlace) {
            places[ObjectIdentifier(place)] = place
            strangers += 1
            if let address = place.address { byAddress[address, default: 0] += 1 }
        }

        /// Does nothing for a place that was given to another before.
        mutating func remove(_ place: ConnectionPlace) {
            guard places.removeValue(forKey: ObjectIdentifier(place)) != nil else { return }
            if !place.isKnown { strangers -= 1 }
            guard let address = place.address, let count = byAddress[address] else { return }
            byAddress[address] = count > 1 ? count - 1 : nil
        }

        mutating func mark(_ place: ConnectionPlace, isKnown: Bool) {
            guard place.isKnown != isKnown, places[ObjectIdentifier(place)] != nil else { return }
            place.isKnown = isKnown
            strangers += isKnown ? -1 : 1
        }

        /// When no stranger is idle, it is the one that opened first, unless even that one is new: else requests sent without a pause
        /// would hold their places for good.
        func mostIdleStranger(at now: NIODeadline, where isCandidate: (ConnectionPlace) -> Bool) -> ConnectionPlace? {
            var mostIdle: (place: ConnectionPlace, since: NIODeadline)?
            var oldest: ConnectionPlace?
            for place in places.values where !place.isKnown && isCandidate(place) {
                if let since = place.idleSince {
                    if since < mostIdle?.since ?? .distantFuture { mostIdle = (place, since) }
                } else if place.opened + ConnectionPlaces.busyTime <= now, place.opened < oldest?.opened ?? .distantFuture {
                    oldest = place
                }
            }
            return mostIdle?.place ?? oldest
        }
    }
}

/// The place of one open connection. What changes with every request is atomic, so that no request waits for the lock of all places.
final class ConnectionPlace: Sendable {
    /// The place of the connection whose requests this task answers.
    @TaskLocal static var current: ConnectionPlace?

    fileprivate let address: String?
    fileprivate let opened: NIODeadline
    fileprivate let close: @Sendable () -> Void
    private let places: ConnectionPlaces
    private let known = Atomic(false)
    private let idle: Atomic<UInt64>

    private static let busy = UInt64.max

    fileprivate init(in places: ConnectionPlaces, address: String?, at now: NIODeadline, close: @escaping @Sendable () -> Void) {
        self.places = places
        self.address = address
        self.close = close
        opened = now
        idle = Atomic(now.uptimeNanoseconds)
    }

    /// A good credential was shown on this connection. Written under the lock of all places.
    fileprivate(set) var isKnown: Bool {
        get { known.load(ordering: .relaxed) }
        set { known.store(newValue, ordering: .relaxed) }
    }

    /// Nil while the hub owes an answer.
    fileprivate var idleSince: NIODeadline? {
        let since = idle.load(ordering: .relaxed)
        return since == Self.busy ? nil : .uptimeNanoseconds(since)
    }

    /// This connection is still a stranger's, and strangers' places are short.
    var mustHurry: Bool { !isKnown && places.areShort }

    /// A good credential was shown. Costs nothing from the second time on.
    func becomeKnown() {
        if !isKnown { places.mark(self, isKnown: true) }
    }

    /// The connection became a WebSocket. It is known by its own credential alone: a proxy may use one connection for several callers.
    func becomeSocket(isKnown: Bool) {
        places.mark(self, isKnown: isKnown)
    }

    /// A whole request came, and the hub owes an answer.
    func becomeBusy() {
        idle.store(Self.busy, ordering: .relaxed)
    }

    /// Everything is answered, or the client does not read its answer.
    func becomeIdle(at now: NIODeadline = .now()) {
        idle.store(now.uptimeNanoseconds, ordering: .relaxed)
    }

    func leave() {
        places.leave(self)
    }
}
