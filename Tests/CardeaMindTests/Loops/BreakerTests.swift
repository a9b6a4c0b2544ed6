import CardeaMind
import Foundation
import Testing

@Suite("A part that keeps failing is left alone for a while")
struct BreakerTests {
    private static let start = FeltHouse.noon

    @Test("After five failures in a row it rests for five minutes, then one trial decides")
    func opens() {
        var breaker = Breaker()
        for _ in 0..<4 { breaker.fail(at: Self.start) }
        #expect(breaker.state(at: Self.start) == .closed)
        breaker.fail(at: Self.start)
        #expect(breaker.state(at: Self.start) == .open)
        let atRest = breaker.admit(at: Self.start + 299)
        #expect(!atRest)

        #expect(breaker.state(at: Self.start + 300) == .halfOpen)
        let trial = breaker.admit(at: Self.start + 300)
        #expect(trial)
        let second = breaker.admit(at: Self.start + 301)
        #expect(!second)
        breaker.fail(at: Self.start + 302)
        #expect(breaker.state(at: Self.start + 303) == .open)

        let another = breaker.admit(at: Self.start + 700)
        #expect(another)
        breaker.succeed()
        #expect(breaker.state(at: Self.start + 700) == .closed)
        #expect(breaker.failures == 0)
    }

    @Test("A success between failures begins the count anew")
    func inARow() {
        var breaker = Breaker()
        for _ in 0..<20 {
            for _ in 0..<4 { breaker.fail(at: Self.start) }
            breaker.succeed()
        }
        #expect(breaker.state(at: Self.start) == .closed)
    }

    @Test("A trial that nobody waited for leaves room for another, and a clock set back holds nothing up for long")
    func abandoned() {
        var breaker = Breaker()
        for _ in 0..<5 { breaker.fail(at: Self.start) }
        let later = breaker.admit(at: Self.start + 300)
        #expect(later)
        breaker.abandon()
        let anotherLater = breaker.admit(at: Self.start + 300)
        #expect(anotherLater)

        var other = Breaker()
        for _ in 0..<5 { other.fail(at: Self.start) }
        #expect(other.state(at: Self.start - 86400) == .halfOpen)
    }
}
