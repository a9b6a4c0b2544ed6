import Foundation

/// One loop of the mind, as a value: what happened goes in, what is to be done comes out. Whoever runs it has the clock and does the work.
public struct MindLoop: Codable, Hashable, Sendable, Identifiable {
    public let id: String
    public let name: String
    public private(set) var state = LoopState.inactive
    /// The phase that is under way.
    public private(set) var phase: LoopPhase?
    /// Rounds begun. A phase's answer must name its round, or it comes too late.
    public private(set) var round = 0
    /// Why it is, or will be once it runs, in safe mode. Neither a pause nor a new start takes it out.
    public private(set) var safeMode: String?
    public private(set) var learnedAt: Date?
    private var breakers: [String: LoopCircuitBreaker] = [:]
    private var metrics: [String: PhaseMetrics] = [:]
    private var violations: [Date] = []
    private var phaseBegan: Date?
    /// Whether it got ready since it was started: what is broken for want of that does not heal by trying.
    private var isReady = false
    private var roundBegan: Date?

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    public enum Event: Hashable, Sendable {
        case start
        /// It got ready.
        case ready
        /// It could not get ready.
        case notReady
        case pause
        case resume
        case stop
        /// Time went by.
        case tick
        /// Somebody asks for a round now.
        case trigger
        /// A phase of a round was done, after so many seconds, in its time or late.
        case done(LoopPhase, round: Int, took: TimeInterval)
        /// It did not.
        case failed(LoopPhase, round: Int, took: TimeInterval)
        case violation(LoopViolation, why: String)
        /// A person says that it may go on.
        case leaveSafeMode
    }

    public enum Decision: Hashable, Sendable {
        /// Get ready, and say `ready` or `notReady`.
        case prepare
        /// Do this, which should take no longer than `timeout` seconds.
        case run(LoopPhase, round: Int, timeout: TimeInterval)
        /// Do no more of what is under way.
        case abandon(LoopPhase, round: Int)
        /// The round is over; say `tick` in so many seconds.
        case rest(TimeInterval)
        /// Tell whoever runs the house.
        case enteredSafeMode(why: String)
    }

    /// The loop as it begins again after whoever ran it has gone, such as at a new start of the hub: nothing is under way and it waits for
    /// `start`. What was measured stays, and so does safe mode.
    public func restarted() -> MindLoop {
        var loop = self
        (loop.state, loop.phase, loop.phaseBegan, loop.roundBegan, loop.isReady) = (.inactive, nil, nil, nil, false)
        for phase in LoopPhase.allCases { loop.breakers[phase.rawValue]?.abandon() }
        return loop
    }

    /// It was in safe mode before, in an earlier life of whoever runs it.
    public mutating func restore(inSafeMode why: String) { safeMode = safeMode ?? why }

    public func breaker(of phase: LoopPhase) -> LoopCircuitBreaker { breakers[phase.rawValue] ?? LoopCircuitBreaker() }
    public func metrics(of phase: LoopPhase) -> PhaseMetrics { metrics[phase.rawValue] ?? PhaseMetrics() }

    /// What is to be done now. An event that means nothing as the loop stands changes nothing.
    public mutating func handle(_ event: Event, at now: Date) -> [Decision] {
        switch event {
        case .start:
            guard [.inactive, .shutdown, .error].contains(state) else { return [] }
            let left = abandon(at: now)
            (state, isReady) = (.initializing, false)
            return left + [.prepare]
        case .ready:
            guard state == .initializing else { return [] }
            isReady = true
            return run(at: now)
        case .notReady:
            if state == .initializing { state = .error }
            return []
        case .pause:
            // One that is not ready yet, or broken, is not held but stopped.
            if state == .running || state == .safeMode { state = .paused }
            return []
        case .resume:
            guard state == .paused else { return [] }
            return run(at: now)
        case .stop:
            guard state != .inactive, state != .shutdown else { return [] }
            state = .shutdown
            return abandon(at: now)
        case .tick: return tick(at: now, isAsked: false)
        case .trigger: return tick(at: now, isAsked: true)
        case .done(let done, let round, let took): return end(done, round, took: took, isFailure: false, at: now)
        case .failed(let failed, let round, let took): return end(failed, round, took: took, isFailure: true, at: now)
        case .violation(let violation, let why): return recordViolation(violation, why: why, at: now)
        case .leaveSafeMode:
            safeMode = nil
            violations = []
            if state == .safeMode { state = .running }
            return []
        }
    }

    // MARK: Rounds

    private mutating func run(at now: Date) -> [Decision] {
        state = safeMode == nil ? .running : .safeMode
        return phase == nil ? [.rest(0)] : []
    }

    private mutating func tick(at now: Date, isAsked: Bool) -> [Decision] {
        if let phase, let phaseBegan {
            let waited = now.timeIntervalSince(phaseBegan)
            // A clock that was set back says nothing of how long it took; the wait begins anew.
            if waited < 0 { self.phaseBegan = now }
            guard waited >= LoopRules.response else { return [] }
            // Whoever ran it never gave an answer.
            let round = round
            return [.abandon(phase, round: round)] + end(phase, round, took: waited, isFailure: true, at: now)
                + recordViolation(.normal, why: "\(phase.rawValue) gave no answer", at: now)
        }
        guard state == .running || state == .safeMode || (state == .error && isReady) else { return [] }
        if let roundBegan, !isAsked {
            let since = now.timeIntervalSince(roundBegan)
            if since >= 0, since < LoopRules.round { return [.rest(LoopRules.round - since)] }
        }
        roundBegan = now
        round = round < Int.max ? round + 1 : 0
        return begin(.sense, at: now)
    }

    private mutating func begin(_ first: LoopPhase, at now: Date) -> [Decision] {
        var next: LoopPhase? = first
        while let phase = next {
            guard isDue(phase, at: now) else {
                next = phase.next
                continue
            }
            var breaker = breaker(of: phase)
            let admitted = breaker.admit(at: now)
            breakers[phase.rawValue] = breaker
            if admitted {
                (self.phase, phaseBegan) = (phase, now)
                return [.run(phase, round: round, timeout: phase.timeout)]
            }
            metrics[phase.rawValue, default: PhaseMetrics()].recordSkip()
            if !phase.isOptional { updateState(at: now) }
            next = phase.isOptional ? phase.next : nil
        }
        return [.rest(remainingPause(at: now))]
    }

    private func isDue(_ phase: LoopPhase, at now: Date) -> Bool {
        switch phase {
        case .sense, .analyze: return true
        case .feedback: return state == .running
        case .learn:
            guard state == .running else { return false }
            guard let learnedAt else { return true }
            let since = now.timeIntervalSince(learnedAt)
            return since >= LoopRules.learning || since < 0
        }
    }

    private mutating func end(_ phase: LoopPhase, _ round: Int, took: TimeInterval, isFailure: Bool, at now: Date) -> [Decision] {
        // An answer of an earlier round, or one that was given up, comes too late.
        guard self.phase == phase, self.round == round else { return [] }
        (self.phase, phaseBegan) = (nil, nil)
        let tookTooLong = !(took <= phase.timeout)
        metrics[phase.rawValue, default: PhaseMetrics()].record(
            tookTooLong ? .tookTooLong : isFailure ? .failed : .done, took: took, at: now)
        // What was done late is counted as late and was done all the same: a machine on which every look takes longer is slow, not broken.
        if isFailure {
            breakers[phase.rawValue, default: LoopCircuitBreaker()].recordFailure(at: now)
        } else {
            breakers[phase.rawValue, default: LoopCircuitBreaker()].recordSuccess()
        }
        // Also after a failure: what cannot be learned is not tried ten times a second.
        if phase == .learn { learnedAt = now }
        updateState(at: now)
        guard state == .running || state == .safeMode || state == .error else { return [.rest(remainingPause(at: now))] }
        guard !isFailure || phase.isOptional, let next = phase.next else { return [.rest(remainingPause(at: now))] }
        return begin(next, at: now)
    }

    /// Without senses or sense a loop is in error; when its trial goes well it runs again.
    private mutating func updateState(at now: Date) {
        let isBroken = LoopPhase.allCases.contains { !$0.isOptional && breaker(of: $0).state(at: now) != .closed }
        switch state {
        case .running, .safeMode: if isBroken { state = .error }
        case .error: if !isBroken { state = safeMode == nil ? .running : .safeMode }
        case .inactive, .initializing, .paused, .shutdown: break
        }
    }

    private func remainingPause(at now: Date) -> TimeInterval {
        guard let roundBegan else { return LoopRules.round }
        return min(max(LoopRules.round - now.timeIntervalSince(roundBegan), 0), LoopRules.round)
    }

    private mutating func abandon(at now: Date) -> [Decision] {
        guard let phase else { return [] }
        breakers[phase.rawValue, default: LoopCircuitBreaker()].abandon()
        (self.phase, phaseBegan) = (nil, nil)
        return [.abandon(phase, round: round)]
    }

    // MARK: Safe mode

    private mutating func recordViolation(_ violation: LoopViolation, why: String, at now: Date) -> [Decision] {
        violations = violations.filter { (0..<LoopRules.window).contains(now.timeIntervalSince($0)) }.suffix(LoopRules.violations) + [now]
        guard safeMode == nil, violation == .critical || violations.count >= LoopRules.violations else { return [] }
        safeMode = why
        var decisions: [Decision] = [.enteredSafeMode(why: why)]
        if state == .running {
            state = .safeMode
            // What would act or learn is not waited for.
            if phase?.isOptional == true { decisions += abandon(at: now) + [.rest(remainingPause(at: now))] }
        }
        return decisions
    }
}

extension MindLoop {
    /// The loop as it shows itself (`GET /safla/status`).
    public func status(at now: Date) -> LoopStatus {
        LoopStatus(
            id: id, name: name, status: state, currentPhase: phase, rounds: round, safeMode: safeMode,
            violations: violations.filter { (0..<LoopRules.window).contains(now.timeIntervalSince($0)) }.count, learnedAt: learnedAt,
            phases: LoopPhase.allCases.map {
                .init(
                    phase: $0, timeout: $0.timeout, breaker: breaker(of: $0).state(at: now), failures: breaker(of: $0).failures,
                    metrics: metrics(of: $0))
            })
    }

    /// Seconds for which the phase under way has been; nil while none is.
    public func phaseDuration(at now: Date) -> TimeInterval? { phaseBegan.map { max(now.timeIntervalSince($0), 0) } }
}
