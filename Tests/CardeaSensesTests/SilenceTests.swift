import CardeaHub
@testable import CardeaMind
import CardeaModel
import CardeaSenses
import CardeaStore
import CardeaTestSupport
import Foundation
import Logging
import Synchronization
import Testing

@Suite("A house that gives no answer", .timeLimit(.minutes(5)))
struct SilenceTests {
    /// While it lasts, whoever looks at the house gets no answer, and does not listen to whoever tells them to stop.
    private final class Silence: Sendable {
        private let state = Mutex((lasts: false, waiting: [CheckedContinuation<Void, Never>]()))

        /// How many wait for an answer that they will not get.
        var waiting: Int { state.withLock { $0.waiting.count } }

        func begin() { state.withLock { $0.lasts = true } }

        func end() {
            let waiting = state.withLock { state in
                defer { state = (false, []) }
                return state.waiting
            }
            for one in waiting { one.resume() }
        }

        /// Waits until it is over.
        func wait() async {
            await withCheckedContinuation { continuation in
                let lasts = state.withLock { state in
                    if state.lasts { state.waiting.append(continuation) }
                    return state.lasts
                }
                if !lasts { continuation.resume() }
            }
        }
    }

    /// A mind that perceives the house where no silence keeps it from that.
    private func mind(_ house: TestHouse, _ silence: Silence, logger: Logger = .silent) throws -> CardeaMind.Mind {
        let surroundings = house.clock.surroundings
        let records = HouseSenses(house.hub.insight)
        let senses = ForwardingSenses(records, beforeHouse: { await silence.wait() })
        return try CardeaMind.Mind(
            store: house.store, senses: senses, records: records, hands: AutomationHands(house.hub.automationDesk),
            time: .init(now: surroundings.now, sleep: surroundings.sleep), logger: logger)
    }

    /// Lets half a minute go by for whoever waits for an answer, until the mind has come to the end of its look.
    private func lookInVain(_ mind: CardeaMind.Mind, _ silence: Silence, _ clock: ManualClock) async throws {
        let before = silence.waiting
        let look = Task { await mind.look(isAsked: true) }
        // The automations want the house as it is, and then the loop does.
        for number in 1...2 {
            let end = clock.now.addingTimeInterval(LoopRules.response)
            try await until { silence.waiting == before + number && clock.isAwaited(end) }
            clock.advance(by: LoopRules.response)
        }
        await look.value
    }

    // The mind waited for its senses for as long as they took, and whatever came after waited with it.
    @Test(
        "Senses that say nothing are waited for half a minute; five times within the hour put the loop into safe mode, until a person ends it"
    )
    func silent() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let silence = Silence()
            let first = try mind(house, silence)
            func loop(_ mind: CardeaMind.Mind) throws -> LoopStatus { try #require(mind.loops().loops.first) }
            await first.look(isAsked: true)
            #expect(try loop(first).status == .running)

            silence.begin()
            for number in 1...5 {
                try await lookInVain(first, silence, house.clock)
                #expect(try loop(first).violations == number && loop(first).currentPhase == nil)
                #expect(try (loop(first).safeMode != nil) == (number == 5))
            }
            let why = try #require(try loop(first).safeMode)
            #expect(why.contains("sense"))
            // What is said so late is heard by nobody, and harms nothing.
            silence.end()
            house.clock.advance(by: 301)
            await first.look(isAsked: true)
            #expect(try loop(first).status == .safeMode && loop(first).phases[2].metrics.runs == 1)

            // Dangers are told all the same.
            try await house.alarm()
            try await house.doors.say("on", at: "binary_sensor.smoke")
            await first.look(isAsked: true)
            try await house.hub.courier.tell()
            let notices = try await house.hub.notices.page(limit: 20, of: owner).notices
            #expect(notices.contains { $0.kind == .danger })

            // A new start of the hub does not end it; a person's word does, and for good.
            let second = try mind(house, silence)
            await second.look(isAsked: true)
            #expect(try loop(second).status == .safeMode && loop(second).safeMode == why)
            #expect(await second.trigger("house", leavingSafeMode: true))
            #expect(try loop(second).status == .running && loop(second).safeMode == nil)
            let third = try mind(house, silence)
            await third.look(isAsked: true)
            #expect(try loop(third).status == .running)
        }
    }

    // Whoever asked while the senses hung waited with them, for ever.
    @Test("Who asks a house that says nothing waits for half a minute, and is answered as soon as it speaks again")
    func asked() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let sight = Sight(of: try await house.hub.insight.asker(owner))
            let silence = Silence()
            let mind = try mind(house, silence)
            #expect(try await mind.answer("is the front door locked?", seenBy: sight).confidence > 0)

            silence.begin()
            let end = house.clock.now.addingTimeInterval(LoopRules.response)
            let asking = Task { try await mind.answer("is the front door locked?", seenBy: sight) }
            try await until { silence.waiting == 1 && house.clock.isAwaited(end) }
            house.clock.advance(by: LoopRules.response)
            await #expect(throws: NoAnswer.self) { try await asking.value }

            silence.end()
            #expect(try await mind.answer("is the front door locked?", seenBy: sight).confidence > 0)
        }
    }

    // One critical violation ends in safe mode, and nothing ever raised one.
    /// The happening that tells where somebody is.
    private func presence(of person: Person, in mind: CardeaMind.Mind) async throws -> String {
        let wanted = HappeningFilter(actors: ["person:\(person.id)"], kinds: [.presence])
        let found: [Happening] = try await mind.memory.happenings(wanted, seenBy: CardeaMind.Mind.wholeSight)
        return try #require(found.first?.id)
    }

    @Test("An answer that rests on what its asker may not be told is not given, and the loop is in safe mode until a person ends it")
    func indiscreet() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (other, _) = try await house.resident("bea", role: "member", by: owner)
            let (ada, bea) = (try await house.hub.insight.asker(owner), try await house.hub.insight.asker(other))
            let sight = Sight(of: bea)
            let mind = house.mind
            func loop() throws -> LoopStatus {
                let first = mind.loops().loops.first
                return try #require(first)
            }
            await mind.look(isAsked: true)
            let told = [ada, bea].map { person in
                ToldHappening(
                    Happening(id: "", at: house.clock.now, actor: "person:\(person.id)", fact: .presence(isHome: false)),
                    source: "past:\(person.id)")
            }
            #expect(try await mind.memory.take(told) == 2)
            func reply(on events: [String], _ devices: [String] = ["front-door"]) -> Reply {
                var reply = Reply("Somebody left.")
                (reply.events, reply.devices) = (events, devices)
                return reply
            }

            // What is one's own, what is there no more, and hours of a sensor are nobody's secret.
            let (own, hers) = (try await presence(of: bea, in: mind), try await presence(of: ada, in: mind))
            let right = reply(on: [own, "happening_999999", "readings_sensor.hall_1_1", "happening_"], ["front-door", "gone"])
            #expect(try await mind.checked(right, seenBy: sight) == right)
            #expect(try loop().status == .running && loop().violations == 0)

            let wrong = reply(on: [own, hers])
            #expect(try await mind.checked(wrong, seenBy: Sight(of: ada)) == wrong)
            let given = try await mind.checked(wrong, seenBy: sight)
            #expect(given.confidence == 0 && given.events.isEmpty && given.devices.isEmpty && !given.response.contains("left"))
            #expect(try loop().status == .safeMode && loop().safeMode?.contains("may not be told") == true)

            #expect(await mind.trigger("house", leavingSafeMode: true))
            #expect(try loop().status == .running)
            let blind = Sight(key: sight.key, devices: ["hall-light"])
            #expect(try await mind.checked(reply(on: []), seenBy: blind).confidence == 0)
            #expect(try loop().status == .safeMode)
        }
    }

    // A hub that ended said each time that a part of its mind had failed.
    @Test("A mind that is told to stop while its senses say nothing stops when they have answered, and calls nothing of that a failure")
    func stopping() async throws {
        try await TestHouse.open { house in
            let (silence, log) = (Silence(), RecordedLog())
            let mind = try mind(house, silence, logger: log.logger)
            silence.begin()
            let end = house.clock.now.addingTimeInterval(LoopRules.response)
            let living = Task { try await mind.run() }
            try await until { silence.waiting == 1 && house.clock.isAwaited(end) }
            living.cancel()
            silence.end()
            try await living.value
            #expect(mind.loops().loops.first?.status == .shutdown)
            #expect(log.written == [])
        }
    }
}
