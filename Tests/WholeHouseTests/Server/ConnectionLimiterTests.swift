import NIOCore
import Synchronization
import Testing

@testable import CardeaHTTP

@Suite("Connection limiter: eviction of unauthenticated connections")
struct ConnectionLimiterTests {
    /// A limiter that records evictions; each connection is named by the second in which it opens.
    private final class RecordingLimiter: Sendable {
        let limiter: ConnectionLimiter
        private let closed = Mutex<[Int64]>([])

        init(perAddress: Int = 64, total: Int) {
            limiter = ConnectionLimiter(perAddress: perAddress, total: total)
        }

        /// The connections that were closed for a newcomer, in order.
        var evicted: [Int64] { closed.withLock { $0 } }

        func acquire(_ address: String?, at second: Int64) -> ConnectionSlot? {
            limiter.acquire(address, at: Self.time(second)) { [self] in closed.withLock { $0.append(second) } }
        }

        static func time(_ second: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(1000 + second) }
    }

    @Test("Sixteen addresses with 64 connections each leave room for newcomers")
    func sixteenAddresses() {
        let entrance = RecordingLimiter(total: 1024)
        for number in 0..<1024 { #expect(entrance.acquire("192.0.2.\(number / 64)", at: Int64(number)) != nil) }
        #expect(entrance.evicted == Array(0..<256))
        for number in 1024..<1100 { #expect(entrance.acquire("198.51.100.\(number)", at: Int64(number)) != nil) }
        #expect(entrance.evicted == Array(0..<332))
    }

    @Test("The longest idle unauthenticated connection is evicted; an answer restarts its idle time")
    func longestIdle() throws {
        let entrance = RecordingLimiter(total: 4)
        let first = try #require(entrance.acquire("a", at: 0))
        _ = try #require(entrance.acquire("b", at: 1))
        _ = try #require(entrance.acquire("c", at: 2))
        first.markBusy()
        first.markIdle(at: RecordingLimiter.time(3))
        #expect(entrance.acquire("d", at: 4) != nil)
        #expect(entrance.evicted == [1])
        #expect(entrance.acquire("e", at: 5) != nil)
        #expect(entrance.evicted == [1, 2])
        #expect(entrance.acquire("f", at: 6) != nil)
        #expect(entrance.evicted == [1, 2, 0])
    }

    @Test("Idle connections are closed before busy ones, and no busy connection is closed in its first ten seconds")
    func busy() throws {
        let entrance = RecordingLimiter(total: 4)
        for second in 0..<3 { try #require(entrance.acquire("a", at: Int64(second))).markBusy() }
        #expect(entrance.acquire("b", at: 9) == nil)
        #expect(entrance.evicted.isEmpty)
        #expect(entrance.acquire("b", at: 12) != nil)
        #expect(entrance.evicted == [0])
        // The newest one is idle, and is closed before the older ones.
        #expect(entrance.acquire("c", at: 30) != nil)
        #expect(entrance.evicted == [0, 12])
    }

    @Test("An authenticated connection is never evicted")
    func known() throws {
        let entrance = RecordingLimiter(total: 4)
        try #require(entrance.acquire("a", at: 0)).markAuthenticated()
        for second in 1...3 { #expect(entrance.acquire("b", at: Int64(second)) != nil) }
        #expect(entrance.evicted.isEmpty)
        for second in 4...6 { try #require(entrance.acquire("c", at: Int64(second))).markAuthenticated() }
        #expect(entrance.evicted == [1, 2, 3])
        #expect(entrance.acquire("d", at: 100) == nil)
        #expect(entrance.evicted == [1, 2, 3])
    }

    @Test("The quarter reserved for authenticated connections is not given to others")
    func share() throws {
        let entrance = RecordingLimiter(total: 8)
        var places: [ConnectionSlot] = []
        for second in 0..<6 { places.append(try #require(entrance.acquire("a", at: Int64(second)))) }
        #expect(entrance.acquire("a", at: 6) != nil)
        #expect(entrance.evicted == [0])
        // Each that becomes known frees its place among the strangers.
        for place in places[1...2] {
            place.markAuthenticated()
            place.markAuthenticated()
        }
        for second in 7...8 { #expect(entrance.acquire("b", at: Int64(second)) != nil) }
        #expect(entrance.evicted == [0])
        #expect(entrance.acquire("b", at: 9) != nil)
        #expect(entrance.evicted == [0, 3])
    }

    @Test("An address at its limit evicts among its own connections")
    func oneAddress() throws {
        let entrance = RecordingLimiter(perAddress: 2, total: 100)
        _ = try #require(entrance.acquire("a", at: 0))
        _ = try #require(entrance.acquire("b", at: 1))
        let second = try #require(entrance.acquire("b", at: 2))
        let third = try #require(entrance.acquire("b", at: 3))
        #expect(entrance.evicted == [1])
        second.markAuthenticated()
        third.markAuthenticated()
        #expect(entrance.acquire("b", at: 4) == nil)
        #expect(entrance.evicted == [1])
        second.release()
        #expect(entrance.acquire("b", at: 5) != nil)
        #expect(entrance.evicted == [1])
    }

    @Test("A trusted proxy has no per-address limit, but is subject to eviction")
    func proxy() throws {
        let entrance = RecordingLimiter(perAddress: 2, total: 16)
        for second in 0..<12 { #expect(entrance.acquire(nil, at: Int64(second)) != nil) }
        #expect(entrance.evicted.isEmpty)
        #expect(entrance.acquire(nil, at: 12) != nil)
        #expect(entrance.acquire("a", at: 13) != nil)
        #expect(entrance.evicted == [0, 1])
    }

    @Test("An evicted connection does not release its slot twice")
    func leavingTwice() throws {
        let entrance = RecordingLimiter(total: 4)
        let first = try #require(entrance.acquire("a", at: 0))
        for second in 1...3 { #expect(entrance.acquire("a", at: Int64(second)) != nil) }
        #expect(entrance.evicted == [0])
        first.markAuthenticated()
        first.release()
        first.release()
        #expect(entrance.acquire("a", at: 4) != nil)
        #expect(entrance.evicted == [0, 1])
    }

    @Test("A WebSocket counts as known by its own credential, and is under pressure above half of the slots")
    func sockets() throws {
        let entrance = RecordingLimiter(total: 4)
        let socket = try #require(entrance.acquire("a", at: 0))
        socket.markAuthenticated()
        socket.markUpgraded(isKnown: false)
        #expect(!socket.isAuthenticated && !socket.isUnderPressure)
        _ = try #require(entrance.acquire("a", at: 1))
        #expect(socket.isUnderPressure)
        socket.markAuthenticated()
        #expect(socket.isAuthenticated && !socket.isUnderPressure)
        let shown = try #require(entrance.acquire("a", at: 2))
        shown.markUpgraded(isKnown: true)
        for second in 3...4 { #expect(entrance.acquire("a", at: Int64(second)) != nil) }
        #expect(shown.isAuthenticated && !shown.isUnderPressure && entrance.limiter.isUnderPressure)
        #expect(entrance.evicted == [1])
    }
}
