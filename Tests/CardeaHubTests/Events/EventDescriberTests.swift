import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CardeaHub

/// A describer with scripted texts that records the pictures it gets.
private final class ScriptedDescriber: PictureDescriber {
    let shown = AwaitableValue<[Data]>([])
    private let outcomes = Mutex<[PictureDescriptionResult]>([])
    private let usual: PictureDescriptionResult

    init(_ usual: PictureDescriptionResult = .text("A person carries a red parcel.")) { self.usual = usual }

    func script(_ outcomes: PictureDescriptionResult...) { self.outcomes.withLock { $0 += outcomes } }

    func describe(_ jpeg: Data) async -> PictureDescriptionResult {
        shown.change { $0.append(jpeg) }
        return outcomes.withLock { $0.isEmpty ? usual : $0.removeFirst() }
    }
}

@Suite("Event descriptions by a describer", .timeLimit(.minutes(5)))
struct EventDescriberTests {
    private func settings(_ folder: URL, _ describer: ScriptedDescriber?) -> EventSettings {
        EventSettings(pictures: folder, maker: PassthroughPictureMaker(), describer: describer)
    }

    @discardableResult
    private func record(
        _ house: TestHouse, _ type: String = "person", ago: TimeInterval = 0, _ words: String? = nil, picture: Data? = smallestJPEG,
        by who: Principal
    ) async throws -> Event {
        let draft = Events.Draft(
            source: "porch", type: type, description: words, occurredAt: house.clock.now.addingTimeInterval(-ago), picture: picture)
        return try await house.hub.events.record(draft, by: who, call: nil, origin: .house).event
    }

    private func described(_ id: String, in house: TestHouse, by who: Principal) async throws -> Event {
        try await waitUntil { try await !house.hub.events.one(id, seenBy: who).description.isEmpty }
        return try await house.hub.events.one(id, seenBy: who)
    }

    @Test("A picture without text gets a machine description that is searchable and journaled as an update")
    func words() async throws {
        try await withFolder { folder in
            let describer = ScriptedDescriber()
            try await TestHouse.open(events: settings(folder, describer)) { house in
                let (owner, _) = try await house.claim()
                let event = try await record(house, by: owner)

                let seen = try await described(event.id, in: house, by: owner)

                #expect(seen.description == "A person carries a red parcel." && seen.describedBy == .describer)
                #expect(describer.shown.now == [smallestJPEG + Data(repeating: 2, count: 500)])
                let found = try await house.hub.events.page(.init(words: Events.SearchTerms("parcels red")), seenBy: owner)
                #expect(found.events.map(\.id) == [event.id] && found.total == 1)
                let kinds = try await house.store.read {
                    try String.fetchAll($0, sql: "SELECT kind FROM journal WHERE subject = ? ORDER BY seq", arguments: [event.id])
                }
                #expect(kinds == ["event_recorded", "event_described"])
                try await waitUntil { try await house.hub.notices.page(of: owner).notices.count == 1 }
                _ = try await house.hub.notificationDispatcher.planNotifications()
                #expect(try await house.hub.notices.page(of: owner).notices.count == 1)

                try await house.hub.events.remove(event.id, by: owner, origin: .house)
                let gone = try await house.hub.events.page(.init(words: Events.SearchTerms("parcel")), seenBy: owner)
                #expect(gone.events.isEmpty && gone.total == 0)
                try await house.store.write {
                    try $0.execute(sql: "INSERT INTO event_words (event_words, rank) VALUES ('integrity-check', 1)")
                }
            }
        }
    }

    @Test("Events with a source description, without a picture or too old are not sent to the describer")
    func leftAlone() async throws {
        try await withFolder { folder in
            let describer = ScriptedDescriber()
            try await TestHouse.open(events: settings(folder, describer)) { house in
                let (owner, _) = try await house.claim()
                let said = try await record(house, "animal", "The neighbour's cat", by: owner)
                let blind = try await record(house, picture: nil, by: owner)
                let old = try await record(house, ago: 601, by: owner)
                let last = try await record(house, by: owner)

                _ = try await described(last.id, in: house, by: owner)

                #expect(describer.shown.now.count == 1)
                for (event, words) in [(said, "The neighbour's cat"), (blind, ""), (old, "")] {
                    let now = try await house.hub.events.one(event.id, seenBy: owner)
                    #expect(now.description == words && now.describedBy == nil)
                }
                for sql in [
                    "UPDATE events SET description = 'x', described_by = 'describer' WHERE id = '\(said.id)'",
                    "UPDATE events SET description = 'x', described_by = 'describer' WHERE id = '\(last.id)'",
                    "UPDATE events SET description = 'x' WHERE id = '\(blind.id)'",
                    "UPDATE events SET described_by = 'describer' WHERE id = '\(blind.id)'",
                ] {
                    await #expect(throws: DatabaseError.self, "\(sql)") { try await house.store.write { try $0.execute(sql: sql) } }
                }
            }
        }
    }

    @Test("Without a configured describer, events get no description")
    func off() async throws {
        try await withFolder { folder in
            try await TestHouse.open(events: settings(folder, nil)) { house in
                let (owner, _) = try await house.claim()
                let event = try await record(house, by: owner)

                #expect(!house.hub.services.contains { $0 is EventDescriber })
                #expect(try await house.hub.events.one(event.id, seenBy: owner).description.isEmpty)
            }
        }
    }

    @Test("After a restart undescribed events are described, and no event is sent twice")
    func restart() async throws {
        try await withFolder { folder in
            let store = try Store.inMemory()
            let (sealing, clock) = (SealingKey.random(), ManualClock())
            let before = try await TestHouse.make(
                store: store, sealing: sealing, clock: clock, events: settings(folder, ScriptedDescriber()))
            let (owner, _) = try await before.claim()
            try await record(before, ago: 599, by: owner)
            clock.advance(by: 2)
            let event = try await record(before, by: owner)

            for _ in 0..<2 {
                let describer = ScriptedDescriber()
                try await TestHouse.open(store: store, sealing: sealing, clock: clock, events: settings(folder, describer)) { house in
                    let seen = try await described(event.id, in: house, by: owner)
                    #expect(seen.describedBy == .describer)
                    // A later one shows that nothing else waited.
                    let next = try await record(house, by: owner)
                    _ = try await described(next.id, in: house, by: owner)
                }
                let isFirst = try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM events") } == 3
                #expect(describer.shown.now.count == (isFirst ? 2 : 1))
            }
        }
    }

    @Test("A busy describer is retried at its given time, a refusal is final, and retries end after four")
    func again() async throws {
        try await withFolder { folder in
            let describer = ScriptedDescriber()
            try await TestHouse.open(events: settings(folder, describer)) { house in
                let (owner, _) = try await house.claim()
                let start = house.clock.now
                describer.script(.retry(after: 30), .retry(after: nil))
                let event = try await record(house, by: owner)
                try await waitUntil { house.clock.isAwaited(start.addingTimeInterval(30)) }
                house.clock.advance(by: 30)
                // The second consecutive wait is twice the first.
                try await waitUntil { house.clock.isAwaited(start.addingTimeInterval(34)) }
                house.clock.advance(by: 4)
                #expect(try await described(event.id, in: house, by: owner).describedBy == .describer)
                #expect(describer.shown.now.count == 3)

                describer.script(.noDescription)
                let refused = try await record(house, by: owner)
                try await describer.shown.waitUntil("it is asked") { $0.count == 4 }
                describer.script(.retry(after: 0), .retry(after: 0), .retry(after: 0), .retry(after: 0))
                let hopeless = try await record(house, by: owner)
                for tries in 5...8 {
                    try await describer.shown.waitUntil("it is asked again") { $0.count == tries }
                    if tries < 8 {
                        let wait = house.clock.now.addingTimeInterval(pow(2, Double(tries - 4)))
                        try await waitUntil { house.clock.isAwaited(wait) }
                        house.clock.advance(by: wait.timeIntervalSince(house.clock.now))
                    }
                }
                house.clock.advance(by: 300)
                let last = try await record(house, by: owner)
                _ = try await described(last.id, in: house, by: owner)
                #expect(describer.shown.now.count == 9)
                for event in [refused, hopeless] {
                    #expect(try await house.hub.events.one(event.id, seenBy: owner).description.isEmpty)
                }
            }
        }
    }

    @Test("Describer output is reduced to one plain line, and unreadable output is discarded")
    func hostile() async throws {
        try await withFolder { folder in
            let describer = ScriptedDescriber()
            try await TestHouse.open(events: settings(folder, describer)) { house in
                let (owner, _) = try await house.claim()
                describer.script(
                    .text("  A \u{202E}man\u{0}\n\n<img src=x onerror=alert(1)>\u{2028}at the\tdoor \u{7}"), .text("\u{200B}\u{301}…"))
                let event = try await record(house, by: owner)
                let seen = try await described(event.id, in: house, by: owner)
                #expect(seen.description == "A man <img src=x onerror=alert(1)> at the door")

                let empty = try await record(house, by: owner)
                try await describer.shown.waitUntil("it is asked") { $0.count == 2 }
                let next = try await record(house, by: owner)
                _ = try await described(next.id, in: house, by: owner)
                #expect(try await house.hub.events.one(empty.id, seenBy: owner).describedBy == nil)
            }
        }
    }
}

@Suite("Description queue")
struct DescriptionQueueTests {
    private let now = Date(timeIntervalSince1970: 1_795_269_600)

    private func one(_ number: Int, ago: TimeInterval = 0) -> DescriptionQueue.Item {
        .init(id: "event_\(number)", at: now.addingTimeInterval(-ago))
    }

    @Test("The newest event is dequeued first, two at a time, and the queue keeps 32")
    func order() {
        var queue = DescriptionQueue()
        for number in 1...40 { queue.add(one(number, ago: Double(100 - number)), at: now) }
        queue.add(one(40), at: now)

        #expect(queue.pending.count == 32 && queue.pending.first?.id == "event_9")
        let (first, second, third) = (queue.dequeue(at: now), queue.dequeue(at: now), queue.dequeue(at: now))
        #expect(first?.id == "event_40" && second?.id == "event_39" && third == nil)
        queue.add(one(40), at: now)
        #expect(queue.pending.count == 30)
        if let first { queue.complete(first, .noDescription, at: now) }
        let next = queue.dequeue(at: now)
        #expect(next?.id == "event_38")
    }

    @Test("Events that waited too long are dropped from the queue")
    func stale() {
        var queue = DescriptionQueue()
        queue.add(one(1, ago: 601), at: now)
        queue.add(one(2, ago: 599), at: now)

        #expect(queue.pending.count == 1)
        let late = queue.dequeue(at: now.addingTimeInterval(2))
        #expect(late == nil && queue.pending.isEmpty)
    }

    @Test("An unresponsive describer is retried one request at a time, no sooner than it asked for")
    func rests() throws {
        var queue = DescriptionQueue()
        for number in 1...6 { queue.add(one(number), at: now) }
        let taken = (queue.dequeue(at: now), queue.dequeue(at: now))
        let (first, second) = (try #require(taken.0), try #require(taken.1))
        queue.complete(first, .retry(after: 120), at: now)
        queue.complete(second, .retry(after: nil), at: now)

        let early = queue.dequeue(at: now.addingTimeInterval(119))
        #expect(early == nil && queue.nextAttempt(at: now) == now.addingTimeInterval(120))
        let later = now.addingTimeInterval(120)
        let (next, another) = (queue.dequeue(at: later), queue.dequeue(at: later))
        let third = try #require(next)
        #expect(another == nil && queue.nextAttempt(at: later) == nil)
        queue.complete(third, .text("A cat."), at: later)
        let both = [queue.dequeue(at: later), queue.dequeue(at: later)]
        #expect(!both.contains(nil))
    }
}
