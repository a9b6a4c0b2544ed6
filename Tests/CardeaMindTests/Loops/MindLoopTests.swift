@testable import CardeaMind
import CardeaTestSupport
import Foundation
import Testing

@Suite("Mind loop")
struct MindLoopTests {
    private static let start = EmotionFixtures.noon

    /// Runs a loop step by step, with phases of scripted durations.
    struct LoopRunner {
        var loop = MindLoop(id: "mind", name: "Mind")
        var now = MindLoopTests.start
        var ran: [LoopPhase] = []
        var failing: Set<LoopPhase> = []
        var duration: [LoopPhase: TimeInterval] = [:]
        var safeModeReasons: [String] = []

        mutating func start() {
            handle(.start)
            handle(.ready)
        }

        /// Carries out the loop's decisions until it rests.
        mutating func handle(_ event: MindLoop.Event) {
            var decisions = loop.handle(event, at: now)
            while !decisions.isEmpty {
                let decision = decisions.removeFirst()
                switch decision {
                case .run(let phase, let round, let timeout):
                    #expect(timeout == phase.timeout)
                    ran.append(phase)
                    let duration = duration[phase] ?? 0.01
                    now += duration
                    let end: MindLoop.Event =
                        failing.contains(phase)
                        ? .failed(phase, round: round, duration: duration) : .done(phase, round: round, duration: duration)
                    decisions += loop.handle(end, at: now)
                case .enteredSafeMode(let why): safeModeReasons.append(why)
                case .prepare, .abandon, .rest: break
                }
            }
        }

        mutating func tick(after seconds: TimeInterval = 0.1) {
            now += seconds
            handle(.tick)
        }
    }

    @Test("A round runs its phases in order and learns at most once a minute")
    func round() {
        var runner = LoopRunner()
        runner.start()
        runner.tick()
        #expect(runner.ran == [.sense, .analyze, .feedback, .learn])
        runner.ran = []
        for _ in 0..<10 { runner.tick() }
        #expect(runner.ran == Array(repeating: [.sense, .analyze, .feedback], count: 10).flatMap { $0 })
        runner.ran = []
        runner.tick(after: 60)
        #expect(runner.ran.last == .learn)
        #expect(runner.loop.metrics(of: .learn).runs == 2)
        #expect(runner.loop.metrics(of: .sense).runs == 12)
    }

    @Test("The next round starts after a tenth of a second, or at once for a question")
    func spacing() {
        var loop = MindLoop(id: "mind", name: "Mind")
        _ = loop.handle(.start, at: Self.start)
        _ = loop.handle(.ready, at: Self.start)
        _ = loop.handle(.tick, at: Self.start)
        _ = loop.handle(.failed(.sense, round: 1, duration: 0.01), at: Self.start + 0.01)
        guard case .rest(let wait)? = loop.handle(.tick, at: Self.start + 0.04).first else {
            Issue.record("it should rest")
            return
        }
        #expect(abs(wait - 0.06) < 1e-3)
        let asked = loop.handle(.trigger, at: Self.start + 0.05)
        #expect(asked == [.run(.sense, round: 2, timeout: 0.05)])
    }

    @Test("Phase timeouts follow the contract and are counted")
    func timeouts() {
        #expect(LoopPhase.allCases.map(\.timeout) == [0.05, 0.2, 0.15, 0.5])
        var runner = LoopRunner()
        runner.duration[.feedback] = 0.16
        runner.start()
        runner.tick()
        #expect(runner.ran == [.sense, .analyze, .feedback, .learn])
        #expect(runner.loop.metrics(of: .feedback).timeouts == 1)
        #expect(runner.loop.breaker(of: .feedback).failures == 0)
        #expect(runner.loop.state == .running)
    }

    // A house whose every read took 60 ms once ended each round with the read, and after five of them was in error for five minutes.
    @Test("On a slow machine late phases count as late, and the round continues", arguments: LoopPhase.allCases)
    func slow(phase: LoopPhase) {
        var runner = LoopRunner()
        runner.duration[phase] = phase.timeout + 0.01
        runner.start()
        for _ in 0..<10 { runner.tick() }

        #expect(Array(runner.ran.prefix(4)) == LoopPhase.allCases)
        #expect(runner.loop.state == .running)
        let metrics = runner.loop.metrics(of: phase)
        #expect(metrics.timeouts == metrics.runs && metrics.runs >= 1)
        #expect(runner.loop.breaker(of: phase).state(at: runner.now) == .closed)
        #expect(runner.loop.status(at: runner.now).metrics.timeouts == metrics.timeouts)
    }

    @Test("A late failure counts as a failure and stops the loop in error")
    func failsLate() {
        var runner = LoopRunner()
        runner.failing = [.sense]
        runner.duration[.sense] = 0.06
        runner.start()
        for _ in 0..<10 { runner.tick() }

        #expect(runner.loop.state == .error)
        #expect(runner.loop.metrics(of: .sense).timeouts == LoopCircuitBreaker.threshold)
    }

    @Test("A failing answer phase is skipped, and the other phases continue")
    func optionalBreaks() {
        var runner = LoopRunner()
        runner.failing = [.feedback]
        runner.start()
        for _ in 0..<20 { runner.tick() }
        #expect(runner.loop.metrics(of: .feedback).runs == 5)
        #expect(runner.loop.metrics(of: .feedback).skipped == 15)
        #expect(runner.loop.state == .running)
        #expect(runner.loop.status(at: runner.now).phases[2].breaker == .open)
    }

    @Test("Failing sensors put the loop in error; after five minutes one trial recovers it")
    func senses() {
        var runner = LoopRunner()
        runner.failing = [.sense]
        runner.start()
        for _ in 0..<20 { runner.tick() }
        #expect(runner.loop.state == .error)
        #expect(runner.loop.metrics(of: .sense).runs == 5)
        runner.failing = []
        runner.tick(after: 200)
        #expect(runner.loop.state == .error)
        runner.ran = []
        runner.tick(after: 100)
        #expect(runner.loop.state == .running)
        #expect(runner.ran.starts(with: [.sense, .analyze]))
    }

    @Test("A failing analysis puts the loop in error, and a later trial recovers it")
    func analysis() {
        var runner = LoopRunner()
        runner.failing = [.analyze]
        runner.start()
        for _ in 0..<20 { runner.tick() }
        #expect(runner.loop.state == .error)
        runner.failing = []
        runner.tick(after: 301)
        #expect(runner.loop.state == .running)
    }

    @Test("One critical violation, or five others within an hour, causes safe mode")
    func safeMode() {
        var runner = LoopRunner()
        runner.start()
        for place in 0..<4 { runner.handle(.violation(.normal, why: "\(place)")) }
        #expect(runner.loop.state == .running)
        runner.now += 3600
        for place in 4..<8 { runner.handle(.violation(.normal, why: "\(place)")) }
        #expect(runner.loop.state == .running)
        runner.handle(.violation(.normal, why: "one too many"))
        #expect(runner.loop.state == .safeMode)
        #expect(runner.safeModeReasons == ["one too many"])

        var other = LoopRunner()
        other.start()
        other.handle(.violation(.critical, why: "a door"))
        #expect(other.loop.state == .safeMode)
        #expect(other.loop.status(at: other.now).safeMode == "a door")
    }

    @Test("Safe mode senses and analyses only, and ends only by a person's request")
    func leaving() {
        var runner = LoopRunner()
        runner.start()
        runner.handle(.violation(.critical, why: "a door"))
        for event in [MindLoop.Event.pause, .resume, .start, .ready, .stop, .start, .ready] { runner.handle(event) }
        #expect(runner.loop.state == .safeMode)
        runner.ran = []
        for _ in 0..<5 { runner.tick(after: 7200) }
        #expect(Set(runner.ran) == [.sense, .analyze])
        runner.handle(.leaveSafeMode)
        #expect(runner.loop.state == .running)
        runner.tick()
        #expect(runner.ran.suffix(2) == [.feedback, .learn])
    }

    @Test("A phase without a result is abandoned after 30 seconds as a violation; its late result is ignored")
    func silence() {
        var loop = MindLoop(id: "mind", name: "Mind")
        _ = loop.handle(.start, at: Self.start)
        _ = loop.handle(.ready, at: Self.start)
        _ = loop.handle(.tick, at: Self.start)
        let early = loop.handle(.tick, at: Self.start + 20)
        #expect(early.isEmpty)
        let givenUp = loop.handle(.tick, at: Self.start + 31)
        #expect(givenUp.first == .abandon(.sense, round: 1))
        #expect(loop.status(at: Self.start + 31).violations == 1)
        let tooLate = loop.handle(.done(.sense, round: 1, duration: 0.01), at: Self.start + 32)
        #expect(tooLate.isEmpty)
        #expect(loop.phase == nil)
    }

    @Test("A pause lets the current phase finish and starts none; resume continues")
    func pause() {
        var loop = MindLoop(id: "mind", name: "Mind")
        _ = loop.handle(.start, at: Self.start)
        _ = loop.handle(.ready, at: Self.start)
        _ = loop.handle(.tick, at: Self.start)
        _ = loop.handle(.pause, at: Self.start)
        let ended = loop.handle(.done(.sense, round: 1, duration: 0.01), at: Self.start + 0.01)
        #expect(!ended.contains { if case .run = $0 { true } else { false } })
        let held = loop.handle(.tick, at: Self.start + 5)
        #expect(held.isEmpty)
        #expect(loop.state == .paused)
        _ = loop.handle(.resume, at: Self.start + 6)
        let resumed = loop.handle(.tick, at: Self.start + 6)
        #expect(resumed == [.run(.sense, round: 2, timeout: 0.05)])
    }

    @Test("A failed start stays in error until a restart; ticks do not recover it")
    func notReady() {
        var runner = LoopRunner()
        runner.failing = [.feedback]
        runner.start()
        for _ in 0..<8 { runner.tick() }
        for event in [MindLoop.Event.stop, .start, .notReady] { runner.handle(event) }
        for _ in 0..<8 { runner.tick(after: 301) }
        #expect(runner.loop.state == .error)
        runner.start()
        #expect(runner.loop.state == .running)
    }

    @Test("Resuming with failed sensors reports an error")
    func resumesBroken() {
        var runner = LoopRunner()
        runner.failing = [.sense]
        runner.start()
        for _ in 0..<4 { runner.tick() }
        _ = runner.loop.handle(.tick, at: runner.now + 0.2)
        _ = runner.loop.handle(.pause, at: runner.now + 0.2)
        _ = runner.loop.handle(.failed(.sense, round: runner.loop.round, duration: 0.01), at: runner.now + 0.2)
        #expect(runner.loop.state == .paused)
        runner.handle(.resume)
        runner.tick(after: 1)
        #expect(runner.loop.state == .error)
        runner.failing = []
        runner.tick(after: 301)
        #expect(runner.loop.state == .running)
    }

    @Test("After a hub restart no phase is running, and safe mode is preserved")
    func anew() {
        var runner = LoopRunner()
        runner.start()
        _ = runner.loop.handle(.tick, at: runner.now + 1)
        runner.handle(.violation(.critical, why: "a door"))
        runner.loop = runner.loop.restarted()
        #expect(runner.loop.state == .inactive)
        #expect(runner.loop.phase == nil)
        runner.start()
        #expect(runner.loop.state == .safeMode)
        runner.tick(after: 1)
        #expect(runner.ran == [.sense, .analyze])
    }

    @Test("State and metrics can be read, stored and restored")
    func status() throws {
        var runner = LoopRunner()
        runner.start()
        for _ in 0..<3 { runner.tick() }
        let again = try JSONDecoder().decode(MindLoop.self, from: JSONEncoder().encode(runner.loop))
        #expect(again.status(at: runner.now) == runner.loop.status(at: runner.now))
        let status = LoopsStatus([runner.loop, MindLoop(id: "other", name: "Other")], at: runner.now)
        #expect(status.activeLoops == 1)
        #expect(status.loops.map(\.status) == [.running, .inactive])
        #expect(status.loops[0].phases.map(\.phase) == LoopPhase.allCases)
        #expect(abs((status.loops[0].phases[0].metrics.mean ?? 0) - 0.01) < 1e-9)
        // Three reads, three evaluations, three moods and one learning step.
        #expect(status.loops[0].metrics.runs == 10 && abs((status.loops[0].metrics.mean ?? 0) - 0.01) < 1e-9)
        #expect(status.loops[1].metrics == PhaseMetrics())
    }

    @Test("Any event order reaches every state, traps in none and runs one phase at a time")
    func neverStuck() {
        var reached: Set<LoopState> = []
        for seed in TestSeed.values(1..<301) {
            var dice = FixtureRandom(seed: seed)
            var loop = MindLoop(id: "mind", name: "Mind")
            var now = Self.start
            for _ in 0..<120 {
                now += [0, 0.02, 0.1, 1, 40, 301, -5][dice.index(7)]
                let before = loop.phase
                let decisions = loop.handle(Self.anything(&dice, loop), at: now)
                reached.insert(loop.state)
                let begun = decisions.filter { if case .run = $0 { true } else { false } }
                #expect(begun.count <= 1, "seed \(seed)")
                if before != nil, loop.phase == before, loop.phaseDuration(at: now) ?? 0 > 0 { #expect(begun.isEmpty, "seed \(seed)") }
                if loop.safeMode != nil { #expect(loop.state != .running, "seed \(seed)") }
            }
            // A person's resume and working reads bring it back from any state.
            var runner = LoopRunner(loop: loop, now: now + 301)
            for event in [MindLoop.Event.leaveSafeMode, .stop, .start, .ready] { runner.handle(event) }
            #expect(runner.loop.state == .running, "seed \(seed)")
            for _ in 0..<4 { runner.tick(after: 301) }
            #expect(runner.loop.state == .running, "seed \(seed)")
            #expect(Set(runner.ran) == Set(LoopPhase.allCases), "seed \(seed)")
        }
        #expect(reached == Set(LoopState.allCases), "seeds from \(TestSeed.value(1)) on")
    }

    @Test("With working sensors time alone recovers a failed loop")
    func heals() {
        for seed in TestSeed.values(1..<101) {
            var dice = FixtureRandom(seed: seed)
            var runner = LoopRunner()
            runner.start()
            for _ in 0..<60 {
                runner.failing = Set(LoopPhase.allCases.filter { _ in dice.index(2) == 0 })
                runner.tick(after: dice.number(0.1...90))
            }
            runner.failing = []
            for _ in 0..<4 { runner.tick(after: 301) }
            #expect(runner.loop.state == .running, "seed \(seed)")
        }
    }

    private static func anything(_ dice: inout FixtureRandom, _ loop: MindLoop) -> MindLoop.Event {
        let phase = dice.index(4) == 0 ? LoopPhase.allCases[dice.index(4)] : loop.phase ?? .sense
        let round = dice.index(6) == 0 ? loop.round - 1 : loop.round
        let duration = [0.01, 0.04, 0.6, .nan, -1, .infinity][dice.index(6)]
        switch dice.index(24) {
        case 0...1: return .start
        case 2...3: return .ready
        case 4: return .notReady
        case 5: return .pause
        case 6: return .resume
        case 7: return dice.index(3) == 0 ? .stop : .tick
        case 8: return .violation(dice.index(4) == 0 ? .critical : .normal, why: "why")
        case 9: return .leaveSafeMode
        case 10: return .trigger
        case 11...15: return .done(phase, round: round, duration: duration)
        case 16...17: return .failed(phase, round: round, duration: duration)
        default: return .tick
        }
    }
}
