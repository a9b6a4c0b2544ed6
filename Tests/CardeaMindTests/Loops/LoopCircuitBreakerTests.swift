import CardeaMind
import Foundation
import Testing

@Suite("A part that keeps failing is left alone for a while")
struct LoopCircuitBreakerTests {
    private static let start = EmotionFixtures.noon

    @Test("After five failures in a row it rests for five minutes, then one trial decides")
    func opens() {
        var breaker = LoopCircuitBreaker()
        for _ in 0..<4 { breaker.recordFailure(at: Self.start) }
        #expect(breaker.state(at: Self.start) == .closed)
        breaker.recordFailure(at: Self.start)
        #expect(breaker.state(at: Self.start) == .open)
        let atRest = breaker.admit(at: Self.start + 299)
        #expect(!atRest)

        #expect(breaker.state(at: Self.start + 300) == .halfOpen)
        let trial = breaker.admit(at: Self.start + 300)
        #expect(trial)
        let second = breaker.admit(at: Self.start + 301)
        #expect(!second)
        breaker.recordFailure(at: Self.start + 302)
        #expect(breaker.state(at: Self.start + 303) == .open)

        let another = breaker.admit(at: Self.start + 700)
        #expect(another)
        breaker.recordSuccess()
        #expect(breaker.state(at: Self.start + 700) == .closed)
        #expect(breaker.failures == 0)
    }

    @Test("A success between failures begins the count anew")
    func inARow() {
        var breaker = LoopCircuitBreaker()
        for _ in 0..<20 {
            for _ in 0..<4 { breaker.recordFailure(at: Self.start) }
            breaker.recordSuccess()
        }
        #expect(breaker.state(at: Self.start) == .closed)
    }

    @Test("A trial that nobody waited for leaves room for another, and a clock set back holds nothing up for long")
    func abandoned() {
        var breaker = LoopCircuitBreaker()
        for _ in 0..<5 { breaker.recordFailure(at: Self.start) }
        let later = breaker.admit(at: Self.start + 300)
        #expect(later)
        breaker.abandon()
        let anotherLater = breaker.admit(at: Self.start + 300)
        #expect(anotherLater)

        var other = LoopCircuitBreaker()
        for _ in 0..<5 { other.recordFailure(at: Self.start) }
        #expect(other.state(at: Self.start - 86400) == .halfOpen)
    }
}
