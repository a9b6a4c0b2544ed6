import Foundation

/// One loop of the mind, as a state machine: events go in, decisions come out. The caller has the clock and does the work.
public struct MindLoop: Codable, Hashable, Sendable, Identifiable {
    public let id: String
    public let name: String
    public private(set) var state = LoopState.inactive
    /// The phase that is running.
    public private(set) var phase: LoopPhase?
    /// The number of rounds begun. A phase's result must carry its round, or it is ignored as late.
    public private(set) var round = 0
    /// The reason for its safe mode, now or once it runs. Neither a pause nor a new start ends it.
    public private(set) var safeMode: String?
    public private(set) var learnedAt: Date?
    private var breakers: [String: LoopCircuitBreaker] = [:]
    private var metrics: [String: PhaseMetrics] = [:]
    private var violations: [Date] = []
    private var phaseBegan: Date?
    /// True if preparation succeeded since the last start. Failures caused by missing preparation do not heal by trying again.
    private var isReady = false
    private var roundBegan: Date?

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    public enum Event: Hashable, Sendable {
        case start
        /// Preparation succeeded.
        case ready
        /// Preparation failed.
        case notReady
        case pause
        case resume
        case stop
        /// Time has passed.
        case tick
        /// A round is requested now.
        case trigger
        /// A phase of a round was done, after `took` seconds, in time or late.
        case done(LoopPhase, round: Int, duration: TimeInterval)
        /// A phase of a round failed.
        case failed(LoopPhase, round: Int, duration: TimeInterval)
        case violation(LoopViolation, why: String)
        /// A person allows it to leave safe mode.
        case leaveSafeMode
    }

    public enum Decision: Hashable, Sendable {
        /// Prepare, and report `ready` or `notReady`.
        case prepare
        /// Run this phase, which should take no longer than `timeout` seconds.
        case run(LoopPhase, round: Int, timeout: TimeInterval)
        /// Stop the phase that is running.
        case abandon(LoopPhase, round: Int)
        /// The round is over. Send `tick` after this many seconds.
        case rest(TimeInterval)
        /// Notify the people who look after the house.
        case enteredSafeMode(why: String)
    }

    /// The loop after a restart of its process, such as of the hub: no phase is running, and it waits for `start`. Metrics and safe mode
    /// are kept.
    public func restarted() -> MindLoop {
        var loop = self
        (loop.state, loop.phase, loop.phaseBegan, loop.roundBegan, loop.isReady) = (.inactive, nil, nil, nil, false)
        for phase in LoopPhase.allCases { loop.breakers[phase.rawValue]?.abandon() }
        return loop
    }

    /// Restores the safe mode of an earlier process.
    public mutating func restore(inSafeMode why: String) { safeMode = safeMode ?? why }

    public func breaker(of phase: LoopPhase) -> LoopCircuitBreaker { breakers[phase.rawValue] ?? LoopCircuitBreaker() }
    public func metrics(of phase: LoopPhase) -> PhaseMetrics { metrics[phase.rawValue] ?? PhaseMetrics() }

    /// Returns the decisions that an event leads to. An event that has no meaning in the present state changes nothing.
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
            // A loop that is not ready yet, or in error, is not paused but stopped.
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
        case .done(let done, let round, let duration): return end(done, round, duration: duration, isFailure: false, at: now)
        case .failed(let failed, let round, let duration): return end(failed, round, duration: duration, isFailure: true, at: now)
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
            // If the clock was set back, the duration is unknown, and the wait begins anew.
            if waited < 0 { self.phaseBegan = now }
            guard waited >= LoopRules.response else { return [] }
            // The caller never reported a result.
            let round = round
            return [.abandon(phase, round: round)] + end(phase, round, duration: waited, isFailure: true, at: now)
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

    private mutating func end(_ phase: LoopPhase, _ round: Int, duration: TimeInterval, isFailure: Bool, at now: Date) -> [Decision] {
        // A result of an earlier round, or of a cancelled phase, is too late.
        guard self.phase == phase, self.round == round else { return [] }
        (self.phase, phaseBegan) = (nil, nil)
        let tookTooLong = !(duration <= phase.timeout)
        metrics[phase.rawValue, default: PhaseMetrics()].record(
            tookTooLong ? .tookTooLong : isFailure ? .failed : .done, duration: duration, at: now)
        // A late run counts as a timeout but as done: a machine on which every phase takes longer is slow, not broken.
        if isFailure {
            breakers[phase.rawValue, default: LoopCircuitBreaker()].recordFailure(at: now)
        } else {
            breakers[phase.rawValue, default: LoopCircuitBreaker()].recordSuccess()
        }
        // Also after a failure, so that learning is not tried again ten times a second.
        if phase == .learn { learnedAt = now }
        updateState(at: now)
        guard state == .running || state == .safeMode || state == .error else { return [.rest(remainingPause(at: now))] }
        guard !isFailure || phase.isOptional, let next = phase.next else { return [.rest(remainingPause(at: now))] }
        return begin(next, at: now)
    }

    /// Sets the error state while the sense or analyse phase fails; when a trial succeeds, the loop runs again.
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
            // Phases that act or learn are not waited for.
            if phase?.isOptional == true { decisions += abandon(at: now) + [.rest(remainingPause(at: now))] }
        }
        return decisions
    }
}

extension MindLoop {
    /// The public status of the loop (`GET /safla/status`).
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

    /// Seconds for which the present phase has been running; nil if none is.
    public func phaseDuration(at now: Date) -> TimeInterval? { phaseBegan.map { max(now.timeIntervalSince($0), 0) } }
}
