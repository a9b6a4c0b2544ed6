import CardeaHub
@testable import CardeaMind
import CardeaModel
import CardeaMindAdapter
import CardeaStore
import CardeaTestSupport
import Foundation
import Logging
import Synchronization
import Testing

@Suite("Unresponsive hub", .timeLimit(.minutes(5)))
struct UnresponsiveHouseTests {
    /// While it is active, reads of the house get no answer and ignore cancellation.
    private final class HouseBlocker: Sendable {
        private let state = Mutex((lasts: false, waiting: [CheckedContinuation<Void, Never>]()))

        /// The number of callers that wait in vain.
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

    /// A mind that reads the house unless it is blocked.
    private func mind(_ house: TestHouse, _ silence: HouseBlocker, logger: Logger = .silent) throws -> CardeaMind.Mind {
        let environment = house.clock.environment
        let records = HubHouseReader(house.hub.mindFeed)
        let houseReader = ForwardingHouseReader(records, beforeHouse: { await silence.wait() })
        return try CardeaMind.Mind(
            store: house.store, houseReader: houseReader, records: records,
            automations: try house.automations(reading: houseReader, now: environment.now, logger: logger),
            time: .init(now: environment.now, sleep: environment.sleep), logger: logger)
    }

    /// Lets half a minute pass for callers that wait, until the mind's poll has ended.
    private func pollWithTimeout(_ mind: CardeaMind.Mind, _ silence: HouseBlocker, _ clock: ManualClock) async throws {
        let before = silence.waiting
        let look = Task { await mind.poll(isAsked: true) }
        // The automations read the house, and then the loop does.
        for number in 1...2 {
            let end = clock.now.addingTimeInterval(LoopRules.response)
            try await waitUntil { silence.waiting == before + number && clock.isAwaited(end) }
            clock.advance(by: LoopRules.response)
        }
        await look.value
    }

    // The mind once waited for its reads without a limit, and everything after them waited too.
    @Test(
        "A hanging read times out after 30 seconds; five within an hour cause safe mode until a person ends it"
    )
    func silent() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let silence = HouseBlocker()
            let first = try mind(house, silence)
            func loop(_ mind: CardeaMind.Mind) throws -> LoopStatus { try #require(mind.loopsStatus().loops.first) }
            await first.poll(isAsked: true)
            #expect(try loop(first).status == .running)

            silence.begin()
            for number in 1...5 {
                try await pollWithTimeout(first, silence, house.clock)
                #expect(try loop(first).violations == number && loop(first).currentPhase == nil)
                #expect(try (loop(first).safeMode != nil) == (number == 5))
            }
            let why = try #require(try loop(first).safeMode)
            #expect(why.contains("sense"))
            // A late answer is dropped, and does no harm.
            silence.end()
            house.clock.advance(by: 301)
            await first.poll(isAsked: true)
            #expect(try loop(first).status == .safeMode && loop(first).phases[2].metrics.runs == 1)

            // Dangers are notified all the same.
            try await house.alarm()
            try await house.doorBackend.report("on", at: "binary_sensor.smoke")
            await first.poll(isAsked: true)
            try await house.hub.notificationDispatcher.planNotifications()
            let notices = try await house.hub.notices.page(limit: 20, of: owner).notices
            #expect(notices.contains { $0.kind == .danger })

            // A restart of the hub does not end it; a person's resume does, permanently.
            let second = try mind(house, silence)
            await second.poll(isAsked: true)
            #expect(try loop(second).status == .safeMode && loop(second).safeMode == why)
            #expect(await second.triggerLoop("house", leavingSafeMode: true))
            #expect(try loop(second).status == .running && loop(second).safeMode == nil)
            let third = try mind(house, silence)
            await third.poll(isAsked: true)
            #expect(try loop(third).status == .running)
        }
    }

    // A question during a hanging read once waited without end.
    @Test("A question to an unresponsive hub times out after 30 seconds, and is answered once it responds")
    func asked() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let silence = HouseBlocker()
            let mind = try mind(house, silence)
            #expect(try await mind.answer("is the front door locked?", seenBy: visibility).confidence > 0)

            silence.begin()
            let end = house.clock.now.addingTimeInterval(LoopRules.response)
            let asking = Task { try await mind.answer("is the front door locked?", seenBy: visibility) }
            try await waitUntil { silence.waiting == 1 && house.clock.isAwaited(end) }
            house.clock.advance(by: LoopRules.response)
            await #expect(throws: MindTimeoutError.self) { try await asking.value }

            silence.end()
            #expect(try await mind.answer("is the front door locked?", seenBy: visibility).confidence > 0)
        }
    }

    // One critical violation ends in safe mode; nothing ever raised one.
    /// The event that reports a person's presence.
    private func presence(of person: Person, in mind: CardeaMind.Mind) async throws -> String {
        let wanted = HouseEventFilter(actors: ["person:\(person.id)"], kinds: [.presence])
        let found: [HouseEvent] = try await mind.eventStore.events(wanted, seenBy: CardeaMind.Mind.fullVisibility)
        return try #require(found.first?.id)
    }

    @Test("An answer based on hidden events is withheld and causes safe mode until a person ends it")
    func indiscreet() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (other, _) = try await house.resident("bea", role: "member", by: owner)
            let (ada, bea) = (try await house.hub.mindFeed.requester(owner), try await house.hub.mindFeed.requester(other))
            let visibility = RequesterVisibility(of: bea)
            let mind = house.mind
            func loop() throws -> LoopStatus {
                let first = mind.loopsStatus().loops.first
                return try #require(first)
            }
            await mind.poll(isAsked: true)
            let told = [ada, bea].map { person in
                ReportedHouseEvent(
                    HouseEvent(id: "", at: house.clock.now, actor: "person:\(person.id)", fact: .presence(isHome: false)),
                    source: "past:\(person.id)")
            }
            #expect(try await mind.eventStore.importEvents(told) == 2)
            func reply(on events: [String], _ devices: [String] = ["front-door"]) -> Reply {
                var reply = Reply("Somebody left.")
                (reply.events, reply.devices) = (events, devices)
                return reply
            }

            // One's own data, deleted things and a sensor's hours may be shown to everyone.
            let (own, hers) = (try await presence(of: bea, in: mind), try await presence(of: ada, in: mind))
            let right = reply(on: [own, "happening_999999", "readings_sensor.hall_1_1", "happening_"], ["front-door", "gone"])
            #expect(try await mind.redactingHidden(right, seenBy: visibility) == right)
            #expect(try loop().status == .running && loop().violations == 0)

            let wrong = reply(on: [own, hers])
            #expect(try await mind.redactingHidden(wrong, seenBy: RequesterVisibility(of: ada)) == wrong)
            let given = try await mind.redactingHidden(wrong, seenBy: visibility)
            #expect(given.confidence == 0 && given.events.isEmpty && given.devices.isEmpty && !given.response.contains("left"))
            #expect(try loop().status == .safeMode && loop().safeMode?.contains("may not be told") == true)

            #expect(await mind.triggerLoop("house", leavingSafeMode: true))
            #expect(try loop().status == .running)
            let blind = RequesterVisibility(key: visibility.key, devices: ["hall-light"])
            #expect(try await mind.redactingHidden(reply(on: []), seenBy: blind).confidence == 0)
            #expect(try loop().status == .safeMode)
        }
    }

    // A stopping hub once logged each time that a part of its mind had failed.
    @Test("Cancelling the mind during a hanging read shuts it down without logging an error")
    func stopping() async throws {
        try await TestHouse.open { house in
            let (silence, log) = (HouseBlocker(), LogRecorder())
            let mind = try mind(house, silence, logger: log.logger)
            silence.begin()
            let end = house.clock.now.addingTimeInterval(LoopRules.response)
            let living = Task { try await mind.run() }
            try await waitUntil { silence.waiting == 1 && house.clock.isAwaited(end) }
            living.cancel()
            silence.end()
            try await living.value
            #expect(mind.loopsStatus().loops.first?.status == .shutdown)
            #expect(log.entries == [])
        }
    }
}
