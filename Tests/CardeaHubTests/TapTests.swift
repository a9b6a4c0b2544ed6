import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("A tap becomes a command, or comes to nothing", .timeLimit(.minutes(10)))
struct TapTests {
    private static let uid = Data([0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40])

    private func button(
        _ house: TestHouse, _ owner: Principal, device: String = "front-door", _ action: String = "unlock"
    ) async throws -> Button {
        let draft = Buttons.Draft(title: "Button", action: .init(deviceID: device, action: action))
        return try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
    }

    private func sun(_ house: TestHouse, for button: Button, by owner: Principal) async throws -> (
        tag: CardeaModel.Tag, chip: SoftTag
    ) {
        let nature = Tags.Draft.Nature.sun(uid: Self.uid, meta: nil, file: nil, names: .standard)
        let added = try await house.hub.tags.add(
            .init(pressing: .button(button.id), label: "Gate", nature: nature), by: owner, call: nil, origin: .house)
        return (added.tag, SoftTag(uid: Self.uid, meta: try #require(added.meta), file: try #require(added.file)))
    }

    private func memory(_ house: TestHouse, for button: Button, by owner: Principal) async throws -> String {
        let draft = Tags.Draft(pressing: .button(button.id), label: nil, nature: .memory)
        return "https://house.example/t/" + (try await house.hub.tags.add(draft, by: owner, call: nil, origin: .house).tag.id)
    }

    private func tap(
        _ house: TestHouse, _ link: String, by who: Principal, isConfirmed: Bool = false
    ) async throws -> TagRefusal? {
        switch try await house.hub.taps.tap(link, isConfirmed: isConfirmed, by: who, origin: .house).outcome {
        case .refused(let refusal, _): return refusal
        case .denied(let refusal, _): throw refusal
        case .taken(let command, _):
            _ = try await house.hub.commands.outcome(of: command)
            return nil
        }
    }

    @Test("A tag that proves its touches opens the door for whoever lives here, once each touch")
    func sun() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (tag, chip) = try await sun(house, for: button(house, owner), by: owner)
            let first = try chip.touch()

            #expect(try await tap(house, first, by: owner) == nil)
            #expect(try await tap(house, first, by: owner) == .used)
            house.clock.advance(by: 3)
            #expect(try await tap(house, chip.touch(), by: owner) == nil)

            #expect(house.doors.orders.count == 2)
            tag = try await house.hub.tags.one(tag.id, seenBy: owner)
            #expect(tag.counter == 2 && tag.lastUsedAt == house.clock.now && tag.alarmedAt == nil)
        }
    }

    @Test("The log says of each tap that it came, what was found and what was asked for, by ids alone")
    func logged() async throws {
        let log = RecordedLog()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            var (_, chip) = try await sun(house, for: button, by: owner)
            let (link, call) = (try chip.touch(), CallName(key: "tap-1", method: "POST", path: "/api/v1/tags/tap", body: Data()))
            func tap() async throws {
                _ = try await house.hub.taps.tap(link, isConfirmed: true, by: owner, call: call, origin: .house)
            }
            let before = log.written.count

            for _ in 0..<2 { try await tap() }
            #expect(try await self.tap(house, link, by: owner) == .used)
            try await house.hub.devices.withdraw(deviceID: "front-door", integration: "scripted")
            house.clock.advance(by: 3)
            await #expect(throws: CommandRefusal.deviceNotFound) { try await self.tap(house, chip.touch(), by: owner) }

            let lines = log.written[before...].filter { $0.contains("tap") || $0.contains("its button") }
            let good = "a tap is good button=\(button.id)"
            #expect(lines.count == 10 && lines.count { $0 == "a tap was received" } == 4)
            #expect(
                lines.count { $0 == good } == 2 && lines.contains { $0.hasPrefix("its button is pressed button=\(button.id) command=") })
            #expect(lines.contains("a tap was handed in again and is answered as before"))
            #expect(lines.contains("a tap comes to nothing button=\(button.id) reason=already_used"))
            #expect(lines.contains("its button is refused button=\(button.id) reason=device_not_found"))
            #expect(!log.written.contains { $0.contains("picc_data") || $0.contains("cmac") })
        }
    }

    @Test("An old touch comes to nothing and is reported: somebody kept a link, or there is a copy")
    func clone() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (tag, chip) = try await sun(house, for: button(house, owner), by: owner)
            var (real, copy) = (chip, chip)
            let kept = try real.touch()
            #expect(try await tap(house, real.touch(), by: owner) == nil)
            let start = try await house.hub.journal.last()

            #expect(try await tap(house, kept, by: owner) == .replayed)
            #expect(try await tap(house, copy.touch(), by: owner) == .replayed)

            #expect(house.doors.orders.count == 1)
            #expect(try await house.hub.tags.one(tag.id, seenBy: owner).alarmedAt == house.clock.now)
            let told = try await house.hub.journal.events(after: start, limit: 100).events
            #expect(told.contains { if case .tag(tag.id, let data) = $0.fact { data["alarm"] == true } else { false } })
            let entries = try await house.hub.activity.entries(.init(deviceID: "front-door"), seenBy: owner)
            #expect(entries.first { $0.action == "tag.tap" }?.reason == "replayed")
        }
    }

    /// Nothing took the alarm away, so that of a tag that was a false one for ever nobody heard the second.
    @Test("Those who look after the house are told of a copy once, and again after one of them has seen it; seeing it renews nothing")
    func seen() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let (tag, chip) = try await sun(house, for: button(house, owner), by: owner)
            var (real, copy) = (chip, chip)
            for _ in 0..<5 { _ = try real.touch() }
            #expect(try await tap(house, real.touch(), by: owner) == nil)
            let tags = house.hub.tags

            for _ in 0..<2 { #expect(try await tap(house, copy.touch(), by: owner) == .replayed) }
            try await until { try await house.hub.notices.page(of: owner).notices.count == 1 }
            #expect(try await house.hub.notices.page(of: member).notices.isEmpty)
            await #expect(throws: CardeaHub.People.Problem.self) { try await tags.seenAlarm(of: tag.id, by: member, origin: .house) }
            await #expect(throws: Tags.Problem.self) { try await tags.seenAlarm(of: "tag_none", by: owner, origin: .house) }
            #expect(try await tags.seenAlarm(of: tag.id, by: owner, origin: .house).alarmedAt == nil)
            #expect(try await tags.seenAlarm(of: tag.id, by: owner, origin: .house).alarmedAt == nil)
            let entries = try await house.hub.activity.entries(.init(), seenBy: owner)
            #expect(entries.filter { $0.action == "tag.alarm_seen" && $0.result == "done" }.count == 1)

            house.clock.advance(by: 60)
            #expect(try await tap(house, copy.touch(), by: owner) == .replayed)
            try await until { try await house.hub.notices.page(of: owner).notices.count == 2 }
            #expect(try await tags.one(tag.id, seenBy: owner).alarmedAt == house.clock.now)
        }
    }

    /// How many is `CARDEA_RECORDED_TAPS`; ten thousand in `make chaos`.
    @Test("Touches that somebody has recorded come to nothing, each of them")
    func recorded() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (_, chip) = try await sun(house, for: button(house, owner), by: owner)
            let count = ProcessInfo.processInfo.environment["CARDEA_RECORDED_TAPS"].flatMap { Int($0) } ?? 300
            let links = try (0..<count).map { _ in try chip.touch() }
            #expect(try await tap(house, try #require(links.last), by: owner) == nil)

            var came: [TagRefusal: Int] = [:]
            for link in links {
                // Long enough that no throttle is what refuses it.
                house.clock.advance(by: 61)
                if let refusal = try await tap(house, link, by: owner) { came[refusal, default: 0] += 1 }
            }
            #expect(came == [.replayed: count - 1, .used: 1])
            #expect(house.doors.orders.count == 1)
        }
    }

    @Test("A tap whose answer was cut off is handed in again under its name, and is answered as before")
    func again() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (_, chip) = try await sun(house, for: button(house, owner), by: owner)
            let (link, other) = (try chip.touch(), try chip.touch())
            let call = CallName(key: "tap-1", method: "POST", path: "/api/v1/tags/tap", body: Data(link.utf8))

            var ids: Set<String> = []
            for count in 0..<3 {
                let (outcome, isReplay) = try await house.hub.taps.tap(link, isConfirmed: true, by: owner, call: call, origin: .house)
                guard case .taken(let command, _) = outcome else { throw CancellationError() }
                ids.insert(try await house.hub.commands.outcome(of: command).id)
                #expect(isReplay == (count > 0))
            }
            #expect(ids.count == 1 && house.doors.orders.count == 1)
            // Under that name it means this link, and under another one this link was used.
            let different = CallName(key: "tap-1", method: "POST", path: "/api/v1/tags/tap", body: Data(other.utf8))
            await #expect(throws: CallNameReused.self) {
                try await house.hub.taps.tap(other, isConfirmed: true, by: owner, call: different, origin: .house)
            }
            #expect(try await tap(house, link, by: owner) == .used)
        }
    }

    @Test("A look says what a tap would do, and uses nothing up")
    func look() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            var (_, chip) = try await sun(house, for: button, by: owner)
            let made = try await house.hub.tags.live(.button(button.id), by: owner, call: nil, origin: .house).0
            let live = "smp://action?" + made.query.reveal()
            func look(_ link: String) async throws -> TagRefusal? {
                let seen = try await house.hub.taps.look(link, by: owner, origin: .house)
                #expect((seen.button?.id == button.id) == ![.unknown, .tooMany].contains(seen.refusal))
                return seen.refusal
            }
            for link in [live, try chip.touch()] {
                #expect(try await look(link) == nil)
                #expect(try await look(link) == nil && house.doors.orders.count == (link == live ? 0 : 1))
                #expect(try await tap(house, link, by: owner) == nil)
                #expect(try await look(link) == .used)
                house.clock.advance(by: 3)
            }
            var copy = SoftTag(uid: Self.uid, meta: .make(), file: .make())
            #expect(try await look(copy.touch()) == .unknown)
            let kept = try chip.touch()
            #expect(try await tap(house, chip.touch(), by: owner) == nil)
            #expect(try await look(kept) == .replayed)
            // Two of the house: this one was before somebody while another touched the tag and said yes first.
            house.clock.advance(by: 3)
            let waits = try chip.touch()
            #expect(try await look(waits) == nil)
            #expect(try await tap(house, chip.touch(), by: owner) == nil)
            #expect(try await tap(house, waits, by: owner) == .replayed)
            house.clock.advance(by: 3)
            let tags = try await house.hub.tags.all(seenBy: owner)
            #expect(tags.allSatisfy { $0.alarmedAt == nil })
            for _ in 0..<31 { _ = try await look("https://house.example/t/nobodys") }
            #expect(try await house.hub.taps.look(kept, by: owner, origin: .house).refusal == .tooMany)
        }
    }

    /// They were one person's, whom the throttle slowed down after thirty: half of them never came to the counter.
    @Test("Of sixty-four who hand in the same touch, one is heard, and every other is told that it was used")
    func race() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (_, chip) = try await sun(house, for: button(house, owner, device: "hall-light", "on"), by: owner)
            let link = try chip.touch()
            var residents = [owner]
            for name in ["ada", "bea", "cleo"] { residents.append(try await house.resident(name, role: "member", by: owner).who) }
            let callers = (0..<64).map { residents[$0 % residents.count] }

            let came = try await withThrowingTaskGroup(of: TagRefusal?.self) { group in
                for who in callers { group.addTask { try await tap(house, link, by: who) } }
                return try await group.reduce(into: [TagRefusal?]()) { $0.append($1) }
            }

            #expect(came.count { $0 == nil } == 1 && came.count { $0 == .used } == 63)
            #expect(house.doors.orders.count == 1)
        }
    }

    @Test("A link that was changed, another's, and one of a tag that is gone do nothing")
    func strangers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (tag, chip) = try await sun(house, for: button(house, owner), by: owner)
            let link = try chip.touch()
            let last = try #require(link.last)
            var stranger = SoftTag(uid: Self.uid, meta: .make(), file: .make())

            #expect(try await tap(house, String(link.dropLast()) + (last == "0" ? "1" : "0"), by: owner) == .forged)
            #expect(try await tap(house, link + "&more=1", by: owner) == .malformed)
            #expect(try await tap(house, stranger.touch(), by: owner) == .unknown)
            #expect(try await tap(house, "https://house.example/t/\(tag.id)", by: owner) == .unknown)
            #expect(try await tap(house, "https://house.example/t/nobodys", by: owner) == .unknown)
            #expect(try await tap(house, "smp://action?idx=0&idx=1", by: owner) == .malformed)
            try await house.hub.tags.remove(tag.id, by: owner, origin: .house)
            #expect(try await tap(house, link, by: owner) == .unknown)

            #expect(house.doors.orders.isEmpty)
        }
    }

    @Test("What a tag says under other names, and a tag that came with keys of its own, are believed")
    func imported() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (meta, file, button) = (TagKey.make(), TagKey.make(), try await button(house, owner))
            let names = SUNKeys.Names(picc: "e", enc: "d", cmac: "c")
            let nature = Tags.Draft.Nature.sun(uid: Self.uid, meta: meta, file: file, names: names)
            let added = try await house.hub.tags.add(
                .init(pressing: .button(button.id), label: nil, nature: nature), by: owner, call: nil, origin: .house)
            var chip = SoftTag(uid: Self.uid, meta: meta, file: file, names: .init(picc: "e", enc: "d", cmac: "c"))

            #expect(added.meta == nil && added.file == nil)
            #expect(try await tap(house, chip.touch("https://house.example/t/\(added.tag.id)"), by: owner) == nil)
            house.clock.advance(by: 3)
            #expect(try await tap(house, chip.touch("https://house.example/t"), by: owner) == nil)
            await #expect(throws: Tags.Problem.self) {
                try await house.hub.tags.add(
                    .init(pressing: .button(button.id), label: nil, nature: nature), by: owner, call: nil, origin: .house)
            }
            // Beside one whose names are others, and after it was taken out and put in again, when what it said before is still nothing.
            let plain = Tags.Draft.Nature.sun(uid: Data(Self.uid.reversed()), meta: nil, file: nil, names: .standard)
            _ = try await house.hub.tags.add(
                .init(pressing: .button(button.id), label: nil, nature: plain), by: owner, call: nil, origin: .house)
            var old = SoftTag(uid: Self.uid, meta: meta, file: file, names: .init(picc: "e", enc: "d", cmac: "c"))
            try await house.hub.tags.remove(added.tag.id, by: owner, origin: .house)
            _ = try await house.hub.tags.add(
                .init(pressing: .button(button.id), label: nil, nature: nature), by: owner, call: nil, origin: .house)
            #expect(try await tap(house, old.touch("https://house.example/t"), by: owner) == .replayed)
            #expect(try await tap(house, chip.touch("https://house.example/t"), by: owner) == nil)
        }
    }

    @Test("A tag that can be copied asks first, turns on a light, and opens no door")
    func memory() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let light = try await memory(house, for: button(house, owner, device: "hall-light", "on"), by: owner)
            let door = try await memory(house, for: button(house, owner), by: owner)

            #expect(try await tap(house, light, by: owner) == .unconfirmed)
            #expect(house.doors.orders.isEmpty)
            #expect(try await tap(house, light, by: owner, isConfirmed: true) == nil)
            #expect(try await tap(house, light, by: owner, isConfirmed: true) == .cooldown)
            #expect(try await tap(house, door, by: owner, isConfirmed: true) == .needsProof)
            house.clock.advance(by: 3)
            _ = try await house.hub.tags.change(TagPolicy(control: .atOnce), seen: .any, by: owner, origin: .house)
            #expect(try await tap(house, light, by: owner) == nil)

            #expect(house.doors.orders.map(\.deviceID) == ["hall-light", "hall-light"])
        }
    }

    @Test("A live link is its maker's own grant, used once, for two minutes")
    func live() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let button = try await button(house, owner)
            // Nobody but the owner opens this one.
            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            func link(_ who: Principal) async throws -> String {
                "smp://action?" + (try await house.hub.tags.live(.button(button.id), by: who, call: nil, origin: .house).0.query.reveal())
            }
            let (mine, theirs, old) = (try await link(owner), try await link(member), try await link(owner))

            #expect(Set([mine, theirs, old]).count == 3)
            #expect(try await tap(house, mine, by: member) == nil)
            #expect(try await tap(house, mine, by: owner) == .used)
            await #expect(throws: CommandRefusal.gate(.securityDevice)) { try await tap(house, theirs, by: owner) }
            #expect(try await tap(house, theirs, by: owner) == .used)
            house.clock.advance(by: 130)
            #expect(try await tap(house, old, by: owner) == .stale)
            #expect(try await tap(house, old.replacingOccurrences(of: "idx=0", with: "idx=1"), by: owner) == .unknown)

            let meant = try await link(owner)
            let other = Buttons.Draft(title: "Button", action: .init(deviceID: "front-door", action: "lock"))
            _ = try await house.hub.buttons.replace(button.id, with: other, seen: .any, by: owner, origin: .house)
            #expect(try await house.hub.taps.look(meant, by: member, origin: .house).refusal == .outdated)
            #expect(try await tap(house, meant, by: member) == .outdated)
            let late = try await link(owner)
            try await house.hub.tags.regenerate(button.id, by: owner, origin: .house)
            #expect(try await tap(house, late, by: owner) == .forged)
            #expect(house.doors.orders.count == 1)
        }
    }

    @Test("Switched off is off: the house's tags, a button's, and the button; an edited button waits for its tag to be renewed")
    func switches() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var button = try await button(house, owner, device: "hall-light", "on")
            let link = try await memory(house, for: button, by: owner)
            var draft = Buttons.Draft(title: "Button", action: .init(deviceID: "hall-light", action: "on"))

            _ = try await house.hub.tags.change(TagPolicy(isOn: false), seen: .any, by: owner, origin: .house)
            #expect(try await tap(house, link, by: owner, isConfirmed: true) == .off)
            _ = try await house.hub.tags.change(TagPolicy(control: .atOnce), seen: .any, by: owner, origin: .house)
            draft.answersTags = false
            button = try await house.hub.buttons.replace(button.id, with: draft, seen: .any, by: owner, origin: .house)
            #expect(try await tap(house, link, by: owner) == .buttonOff)
            draft.deed = .ask(.init(deviceID: "hall-light", action: "off"))
            button = try await house.hub.buttons.replace(button.id, with: draft, seen: .any, by: owner, origin: .house)
            #expect(try await tap(house, link, by: owner) == .outdated)
            let id = try #require(link.split(separator: "/").last.map(String.init))
            await #expect(throws: Tags.Problem.self) {
                try await house.hub.tags.renew(id, label: nil, seen: button.version - 1, by: owner, origin: .house)
            }
            // It was renewed with every label, unasked: whoever only wrote where it hangs had it press something else.
            let labelled = try await house.hub.tags.renew(id, label: "Stairs", by: owner, origin: .house)
            #expect(labelled.label == "Stairs" && labelled.isOutdated)
            #expect(try await tap(house, link, by: owner) == .outdated)
            let renewed = try await house.hub.tags.renew(id, label: "Hall", seen: button.version, by: owner, origin: .house)
            #expect(renewed.label == "Hall" && !renewed.isOutdated)
            #expect(try await house.hub.tags.renew(id, label: nil, by: owner, origin: .house).label == "Hall")
            #expect(try await tap(house, link, by: owner) == .buttonOff)
            guard case .command = try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house) else {
                Issue.record("a screen presses it either way")
                return
            }
            draft.isEnabled = false
            _ = try await house.hub.buttons.replace(button.id, with: draft, seen: .any, by: owner, origin: .house)
            await #expect(throws: Buttons.Problem.self) {
                try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house)
            }
        }
    }

    @Test("Who hands in links that are none is slowed down, and the right one is heard afterwards")
    func throttled() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (_, chip) = try await sun(house, for: button(house, owner), by: owner)
            for _ in 0..<31 { #expect(try await tap(house, "https://house.example/t/nobodys", by: owner) == .unknown) }

            #expect(try await tap(house, chip.touch(), by: owner) == .tooMany)
            house.clock.advance(by: 61)
            #expect(try await tap(house, chip.touch(), by: owner) == nil)
        }
    }

    @Test("A number is given once, a button has three tags, and keys that everybody knows are none")
    func limits() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let first = try await button(house, owner)
            try await house.hub.buttons.remove(first.id, seen: .any, by: owner, origin: .house)
            let second = try await button(house, owner)
            #expect(first.index == 0 && second.index == 1)

            for _ in 0..<3 { _ = try await memory(house, for: second, by: owner) }
            await #expect(throws: Tags.Problem.self) { try await memory(house, for: second, by: owner) }
            #expect(throws: TagKey.Problem.wellKnown) { try TagKey(hex: Secret(String(repeating: "00", count: 16))) }
        }
    }

    @Test("A house that was put back takes no link from before, and reads a tag in by a touch that is newer than what it knows")
    func putBack() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            var (tag, chip) = try await sun(house, for: button, by: owner)
            let (older, old) = (try chip.touch(), try chip.touch())
            #expect(try await tap(house, old, by: owner) == nil)
            let made = try await house.hub.tags.live(.button(button.id), by: owner, call: nil, origin: .house).0
            let live = "smp://action?" + made.query.reveal()
            let now = house.clock.now.milliseconds
            try await house.store.write { db in
                try db.execute(sql: "UPDATE backups SET restored_at = ?1, restored_from = ?1", arguments: [now])
                try db.execute(sql: "UPDATE tags SET unsynced_at = ?", arguments: [now])
            }

            #expect(try await tap(house, live, by: owner) == .stale)
            #expect(try await tap(house, older, by: owner) == .replayed)
            #expect(try await tap(house, old, by: owner) == .replayed)
            #expect(try await tap(house, chip.touch(), by: owner) == .synced)
            #expect(house.doors.orders.count == 1)
            house.clock.advance(by: 3)
            #expect(try await tap(house, chip.touch(), by: owner) == nil)
            tag = try await house.hub.tags.one(tag.id, seenBy: owner)
            #expect(house.doors.orders.count == 2 && tag.counter == 4)
        }
    }
}
