import CardeaMind
import Foundation
import Testing

@Suite("Circuit breaker of loop phases")
struct LoopCircuitBreakerTests {
    private static let start = EmotionFixtures.noon

    @Test("After five consecutive failures the breaker opens for five minutes, then one trial decides")
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

    @Test("A success resets the failure count")
    func inARow() {
        var breaker = LoopCircuitBreaker()
        for _ in 0..<20 {
            for _ in 0..<4 { breaker.recordFailure(at: Self.start) }
            breaker.recordSuccess()
        }
        #expect(breaker.state(at: Self.start) == .closed)
    }

    @Test("An abandoned trial permits another, and a clock set back delays no trial for long")
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
