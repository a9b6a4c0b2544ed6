import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    @Test(
        "The maximum delays grow as in Seed 004 up to the limit",
        arguments: [
            (RetryPolicy.standard, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]),
            (.aggressive, [500, 750, 1125, 1688, 2531, 3797, 5695, 8543, 10_000]),
        ])
    func longest(policy: RetryPolicy, milliseconds: [Int]) {
        #expect(milliseconds.indices.map { Int((policy.longestDelay(after: $0) / .milliseconds(1)).rounded()) } == milliseconds)
        #expect(policy.longestDelay(after: .max) == policy.maximumDelay)
    }

    @Test("A delay lies between zero and its maximum, and none follows the last attempt")
    func jitter() {
        for policy in [RetryPolicy.standard, .aggressive] {
            for attempt in 0..<policy.attempts - 1 {
                #expect(policy.delay(after: attempt, jitter: 0) == .zero)
                #expect(policy.delay(after: attempt, jitter: 1) == policy.longestDelay(after: attempt))
                #expect(policy.delay(after: attempt, jitter: 7) == policy.longestDelay(after: attempt))
            }
            #expect(policy.delay(after: policy.attempts - 1, jitter: 0.5) == nil)
        }
        #expect(RetryPolicy.never.delay(after: 0, jitter: 0.5) == nil)
    }

    @Test("A Retry-After delay is respected up to the limit")
    func retryAfter() {
        #expect(RetryPolicy.standard.delay(after: 0, jitter: 0, retryAfter: .seconds(7)) == .seconds(7))
        #expect(RetryPolicy.standard.delay(after: 0, jitter: 1, retryAfter: .milliseconds(1)) == .seconds(1))
        #expect(RetryPolicy.standard.delay(after: 0, jitter: 0, retryAfter: .seconds(31)) == nil)
    }

    @Test("Invalid settings are clamped")
    func nonsense() {
        let policy = RetryPolicy(attempts: -3, multiplier: .nan, initialDelay: .seconds(-1), maximumDelay: .seconds(-1))
        #expect(policy.attempts == 1 && policy.multiplier == 1 && policy.longestDelay(after: -5) == .zero)
    }

    @Test("Half the retry budget is available at first, and successful calls refill it")
    func budget() {
        var budget = RetryBudget(full: 10, refund: 0.5)
        for _ in 0..<4 { budget.recordFailure() }
        #expect(budget.allowsRetry)
        budget.recordFailure()
        #expect(!budget.allowsRetry)
        for _ in 0..<100 { budget.recordFailure() }
        for _ in 0..<10 { budget.recordSuccess() }
        #expect(!budget.allowsRetry)
        budget.recordSuccess()
        #expect(budget.allowsRetry)
    }
}

@Suite("Circuit breaker")
struct CircuitBreakerTests {
    private let start = Date(timeIntervalSince1970: 1_795_000_000)

    private func broken(_ breaker: CircuitBreaker = CircuitBreaker()) -> CircuitBreaker {
        var breaker = breaker
        for _ in 0..<breaker.threshold {
            #expect(breaker.admit(at: start) == nil)
            breaker.record(.failed, at: start)
        }
        return breaker
    }

    @Test("Five consecutive failures open it for a minute, and one success before that resets the count")
    func opens() {
        var breaker = CircuitBreaker()
        for _ in 0..<20 {
            for _ in 0..<4 { breaker.record(.failed, at: start) }
            breaker.record(.answered, at: start)
        }
        #expect(breaker.state(at: start) == .closed)

        breaker = broken()
        #expect(breaker.state(at: start) == .open(until: start + 60))
        #expect(breaker.admit(at: start + 20) == 40)
    }

    @Test("After a minute only one trial call is let through")
    func probes() {
        var breaker = broken()
        #expect(breaker.state(at: start + 60) == .halfOpen)
        #expect(breaker.admit(at: start + 60) == nil)
        #expect(breaker.admit(at: start + 60) != nil)
        breaker.record(.answered, at: start + 61)
        #expect(breaker.state(at: start + 61) == .closed && breaker.admit(at: start + 61) == nil)

        breaker = broken()
        #expect(breaker.admit(at: start + 60) == nil)
        breaker.record(.failed, at: start + 70)
        #expect(breaker.state(at: start + 71) == .open(until: start + 130))

        breaker = broken()
        #expect(breaker.admit(at: start + 60) == nil)
        breaker.record(.abandoned, at: start + 61)
        #expect(breaker.admit(at: start + 61) == nil)
    }

    @Test("A clock set back does not keep it open")
    func clock() {
        var breaker = broken()
        #expect(breaker.admit(at: start - 3600) == nil)
    }

    @Test("Random events never exceed the open time or allow two trial calls, and a success closes it")
    func always() {
        var random = SeededGenerator.forTest(1)
        for _ in 0..<300 {
            var breaker = CircuitBreaker(threshold: Int.random(in: 1...6, using: &random), timeout: 60)
            var now = start
            var underWay = 0
            for _ in 0..<120 {
                now += Double.random(in: 0...40, using: &random)
                let wasHalfOpen = breaker.state(at: now) == .halfOpen
                if let wait = breaker.admit(at: now) {
                    #expect(wait > 0 && wait <= 60, "seed \(random.seed)")
                    if underWay == 0 { #expect(!wasHalfOpen, "seed \(random.seed)") }
                } else {
                    underWay += 1
                }
                guard underWay > 0, Bool.random(using: &random) else { continue }
                let outcome = [CircuitBreaker.Outcome.answered, .failed, .failed, .failed, .abandoned].randomElement(using: &random)
                underWay -= 1
                breaker.record(outcome ?? .failed, at: now)
                if outcome == .answered { #expect(breaker.state(at: now) == .closed, "seed \(random.seed)") }
            }
        }
    }
}

@Suite("Resilient client", .timeLimit(.minutes(10)))
struct ResilienceTests {
    /// A clock that sleeping advances.
    private func environment(_ slept: SleepRecorder) -> ClientEnvironment {
        let keys = Counter()
        return ClientEnvironment(
            now: { slept.now }, sleep: { slept.sleep($0) }, newKey: { "key-\(keys.next())" }, jitter: { 1 })
    }

    private func asking(_ hub: ScriptedTransport, _ watch: SleepRecorder, _ resilience: ResilienceSettings) throws -> CardeaClient {
        try .at(hub, MemorySessionStore(.number(1, expiresIn: 86_400)), environment(watch), resilience: resilience)
    }

    private final class SleepRecorder: Sendable {
        private let pauses = Mutex<[Duration]>([])
        private let start = Date()
        var slept: [Duration] { pauses.withLock { $0 } }
        var now: Date { start.addingTimeInterval(slept.reduce(0) { $0 + $1 / .seconds(1) }) }
        func sleep(_ pause: Duration) { pauses.withLock { $0.append(pause) } }
    }

    @Test("A read is sent three times without a connection, and the third response is returned")
    func thirdTime() async throws {
        let watch = SleepRecorder()
        let hub = ScriptedTransport { _, before in before < 2 ? .failure(.noConnection) : .success(.noPeople) }

        let people = try await asking(hub, watch, .standard).people.list()

        #expect(people.people.isEmpty && hub.requests.count == 3)
        #expect(watch.slept == [.seconds(1), .seconds(2)])
    }

    @Test("A Retry-After response blocks further calls for its whole delay")
    func asksForPeace() async throws {
        let watch = SleepRecorder()
        let busy = TransportResponse.json(
            503, #"{"error":{"code":"unavailable","message":"Busy.","details":{}}}"#, ["retry-after": "9"])
        let hub = ScriptedTransport { _, before in .success(before == 0 ? busy : .noPeople) }

        _ = try await asking(hub, watch, .standard).people.list()

        #expect(watch.slept == [.seconds(9)])
    }

    @Test("A door command is sent once without a connection and never later")
    func door() async throws {
        let watch = SleepRecorder()
        let hub = ScriptedTransport { _, _ in .failure(.noConnection) }
        let client = try asking(hub, watch, .standard)

        await #expect(throws: ClientError.noConnection(host: "house.example")) {
            try await client.devices.control(DeviceCommand("front-door", "unlock"))
        }

        #expect(hub.requests.count == 1 && watch.slept.isEmpty)
    }

    @Test("After five failures calls are blocked for a minute, except door commands")
    func resting() async throws {
        let watch = SleepRecorder()
        let isUp = Mutex(false)
        let hub = ScriptedTransport { request, _ in
            guard isUp.withLock({ $0 }) else { return .failure(.timeout) }
            return .success(request.url.path.hasSuffix("control") ? RequestPipelineTests.confirmed : .noPeople)
        }
        let client = try asking(hub, watch, ResilienceSettings(retry: .never))
        for _ in 0..<5 { await #expect(throws: ClientError.timeout(host: "house.example")) { try await client.people.list() } }

        await #expect(throws: ClientError.circuitOpen(host: "house.example", retryAfter: .seconds(60))) { try await client.people.list() }
        #expect(hub.requests.count == 5)
        watch.sleep(.seconds(59))
        await #expect(throws: ClientError.circuitOpen(host: "house.example", retryAfter: .seconds(1))) { try await client.people.list() }

        isUp.withLock { $0 = true }
        guard case .confirmed = try await client.devices.control(DeviceCommand("front-door", "unlock")) else {
            Issue.record("the door was not asked")
            return
        }
        _ = try await client.people.list()
        #expect(hub.requests.count == 7)
    }

    @Test("Failures are counted per call, so two calls of three attempts do not open the breaker")
    func callsCount() async throws {
        let watch = SleepRecorder()
        let hub = ScriptedTransport { _, before in before < 12 ? .failure(.timeout) : .success(.noPeople) }
        let client = try asking(hub, watch, ResilienceSettings(budget: RetryBudget(full: 1000)))

        for _ in 0..<4 { await #expect(throws: ClientError.timeout(host: "house.example")) { try await client.people.list() } }

        _ = try await client.people.list()
        #expect(hub.requests.count == 13)
    }

    @Test("A refusal and a jammed lock do not count as failures of the hub")
    func answersCount() async throws {
        let watch = SleepRecorder()
        let hub = ScriptedTransport { request, _ in
            .success(
                request.url.path.hasSuffix("control")
                    ? .refused(500, "action_execution_failed") : .refused(403, "forbidden"))
        }
        let client = try asking(hub, watch, .standard)

        for _ in 0..<10 {
            await #expect(throws: ClientError.self) { try await client.people.list() }
            _ = try? await client.devices.control(DeviceCommand("front-door", "unlock"))
        }

        #expect(hub.requests.count == 20 && watch.slept.isEmpty)
    }

    @Test("A write that may have arrived is never reported as not sent")
    func mayHaveArrived() async throws {
        let watch = SleepRecorder()
        let hub = ScriptedTransport { _, before in .failure(before == 0 ? .timeout : .noConnection) }
        let client = try asking(hub, watch, .standard)

        await #expect(throws: ClientError.interrupted(host: "house.example")) { try await client.scenes.remove("evening") }

        #expect(hub.requests.count == 3)
        #expect(Set(hub.requests.map { $0.headers["idempotency-key"] }).count == 1)
    }

    @Test("Errors named in Seed 004 have its titles, and each states if it is retryable")
    func titles() {
        #expect(ClientError.noConnection(host: "h").title == "No internet connection" && ClientError.noConnection(host: "h").isRetryable)
        #expect(ClientError.unauthorized.title == "Authentication required" && !ClientError.unauthorized.isRetryable)
        #expect(ClientError.api(APIError(status: 403, code: "forbidden", message: "No.")).title == "No.")
        #expect(ClientError.circuitOpen(host: "h", retryAfter: .seconds(9)).isRetryable)
        #expect(!ClientError.insecureConnection(host: "h").isRetryable && !ClientError.invalidResponse("x").isRetryable)
    }

    @Test("A spent retry budget stops retries")
    func budget() async throws {
        let watch = SleepRecorder()
        let hub = ScriptedTransport { _, _ in .failure(.noConnection) }
        let client = try asking(hub, watch, ResilienceSettings(breaker: nil))

        for _ in 0..<20 { await #expect(throws: ClientError.self) { try await client.people.list() } }

        // Ten failures use half of twenty: three calls are tried three times, and each of the other seventeen once.
        #expect(hub.requests.count == 26)
    }
}
