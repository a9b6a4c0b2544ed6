import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Touches of SUN tags", .timeLimit(.minutes(10)))
struct TapHandlerTouchTests {
    @Test("Each touch of a SUN tag opens the door once")
    func sun() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (tag, chip) = try await house.sunTag(for: house.button(by: owner), by: owner)
            let first = try chip.touch()

            #expect(try await house.tap(first, by: owner) == nil)
            #expect(try await house.tap(first, by: owner) == .used)
            house.clock.advance(by: 3)
            #expect(try await house.tap(chip.touch(), by: owner) == nil)

            #expect(house.doorBackend.backendCommands.count == 2)
            tag = try await house.hub.tags.one(tag.id, seenBy: owner)
            #expect(tag.counter == 2 && tag.lastUsedAt == house.clock.now && tag.alarmedAt == nil)
        }
    }

    @Test("The audit names the tag or button used to open, and marks a removed tag as gone")
    func named() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button(by: owner)
            let (tag, chip) = try await house.sunTag(for: button, by: owner)
            var touching = chip
            let labelled = try await house.hub.tags.renew(tag.id, label: "By the door", by: owner, origin: .house)
            #expect(try await house.tap(touching.touch(), by: owner) == nil)
            guard case .command(let pressed, _) = try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house) else {
                throw Refusal.noGrant
            }
            _ = try await house.hub.commands.outcome(of: pressed)
            _ = try await house.run(house.unlock(as: owner))
            func vias(_ action: String) async throws -> [String] {
                try await house.hub.activity.entries(.init(deviceID: "front-door"), seenBy: owner).filter { $0.action == action }
                    .map { entry in entry.via.map { "\($0.kind.rawValue) \($0.id) \($0.name ?? "gone")" } ?? "" }
            }

            let (byTag, byButton) = ("tag \(tag.id) By the door", "button \(button.id) \(button.title)")
            #expect(labelled.label == "By the door")
            let found = try await vias("unlock")
            #expect(found == ["", byButton, byTag], "each once, as it ended")
            #expect(try await vias("tag.tap") == [byTag])

            try await house.hub.tags.remove(tag.id, by: owner, origin: .house)
            #expect(try await vias("tag.tap") == ["tag \(tag.id) gone"])
        }
    }

    @Test("Each tap is logged with its result by IDs, without link parameters")
    func logged() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button(by: owner)
            var (_, chip) = try await house.sunTag(for: button, by: owner)
            let (link, call) = (try chip.touch(), IdempotencyKey(key: "tap-1", method: "POST", path: "/api/v1/tags/tap", body: Data()))
            func tap() async throws {
                _ = try await house.hub.tapHandler.handle(link, isConfirmed: true, by: owner, call: call, origin: .house)
            }
            let before = log.entries.count

            for _ in 0..<2 { try await tap() }
            #expect(try await house.tap(link, by: owner) == .used)
            try await house.hub.devices.withdraw(deviceID: "front-door", integration: "scripted")
            house.clock.advance(by: 3)
            await #expect(throws: CommandRefusal.deviceNotFound) { try await house.tap(chip.touch(), by: owner) }

            let lines = log.entries[before...].filter { $0.contains("tap") || $0.hasPrefix("button press") }
            let good = "tap accepted button=\(button.id)"
            #expect(lines.count == 10 && lines.count { $0 == "tap received" } == 4)
            #expect(
                lines.count { $0 == good } == 2 && lines.contains { $0.hasPrefix("button pressed button=\(button.id) command=") })
            #expect(lines.contains("repeated tap answered from the stored result"))
            #expect(lines.contains("tap rejected button=\(button.id) reason=already_used"))
            #expect(lines.contains("button press refused button=\(button.id) reason=device_not_found"))
            #expect(!log.entries.contains { $0.contains("picc_data") || $0.contains("cmac") })
        }
    }

    @Test("A touch with an older counter is refused as replayed, raises the tag's alarm, and is audited")
    func clone() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (tag, chip) = try await house.sunTag(for: house.button(by: owner), by: owner)
            var (real, copy) = (chip, chip)
            let kept = try real.touch()
            #expect(try await house.tap(real.touch(), by: owner) == nil)
            let start = try await house.hub.journal.last()

            #expect(try await house.tap(kept, by: owner) == .replayed)
            #expect(try await house.tap(copy.touch(), by: owner) == .replayed)

            #expect(house.doorBackend.backendCommands.count == 1)
            #expect(try await house.hub.tags.one(tag.id, seenBy: owner).alarmedAt == house.clock.now)
            let told = try await house.hub.journal.events(after: start, limit: 100).events
            #expect(told.contains { if case .tag(tag.id, let data) = $0.fact { data["alarm"] == true } else { false } })
            let entries = try await house.hub.activity.entries(.init(deviceID: "front-door"), seenBy: owner)
            #expect(entries.first { $0.action == "tag.tap" }?.reason == "replayed")
        }
    }

    /// The alarm could once not be acknowledged, so that after a false alarm the second one was not noticed.
    @Test("A replay alarm notifies operators once, and again only after it was acknowledged")
    func seen() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let (tag, chip) = try await house.sunTag(for: house.button(by: owner), by: owner)
            var (real, copy) = (chip, chip)
            for _ in 0..<5 { _ = try real.touch() }
            #expect(try await house.tap(real.touch(), by: owner) == nil)
            let tags = house.hub.tags

            for _ in 0..<2 { #expect(try await house.tap(copy.touch(), by: owner) == .replayed) }
            try await waitUntil { try await house.hub.notices.page(of: owner).notices.count == 1 }
            #expect(try await house.hub.notices.page(of: member).notices.isEmpty)
            await #expect(throws: CardeaHub.People.PersonError.self) {
                try await tags.acknowledgeAlarm(of: tag.id, by: member, origin: .house)
            }
            await #expect(throws: Tags.TagError.self) { try await tags.acknowledgeAlarm(of: "tag_none", by: owner, origin: .house) }
            #expect(try await tags.acknowledgeAlarm(of: tag.id, by: owner, origin: .house).alarmedAt == nil)
            #expect(try await tags.acknowledgeAlarm(of: tag.id, by: owner, origin: .house).alarmedAt == nil)
            let entries = try await house.hub.activity.entries(.init(), seenBy: owner)
            #expect(entries.filter { $0.action == "tag.alarm_seen" && $0.result == "done" }.count == 1)

            house.clock.advance(by: 60)
            #expect(try await house.tap(copy.touch(), by: owner) == .replayed)
            try await waitUntil { try await house.hub.notices.page(of: owner).notices.count == 2 }
            #expect(try await tags.one(tag.id, seenBy: owner).alarmedAt == house.clock.now)
        }
    }

    /// `CARDEA_RECORDED_TAPS` sets the number of touches; `make chaos` runs ten thousand.
    @Test("Every recorded touch is refused as replayed, and the latest one as used")
    func recorded() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (_, chip) = try await house.sunTag(for: house.button(by: owner), by: owner)
            let count = TestRepetitions.of(100, full: 300, variable: "CARDEA_RECORDED_TAPS")
            let links = try (0..<count).map { _ in try chip.touch() }
            #expect(try await house.tap(try #require(links.last), by: owner) == nil)

            var came: [TagRefusal: Int] = [:]
            for link in links {
                // Long enough that no throttle refuses it.
                house.clock.advance(by: 61)
                if let refusal = try await house.tap(link, by: owner) { came[refusal, default: 0] += 1 }
            }
            #expect(came == [.replayed: count - 1, .used: 1])
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("A tap repeated with its idempotency key returns the original result")
    func again() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (_, chip) = try await house.sunTag(for: house.button(by: owner), by: owner)
            let (link, other) = (try chip.touch(), try chip.touch())
            let call = IdempotencyKey(key: "tap-1", method: "POST", path: "/api/v1/tags/tap", body: Data(link.utf8))

            var ids: Set<String> = []
            for count in 0..<3 {
                let (outcome, isReplay) = try await house.hub.tapHandler.handle(
                    link, isConfirmed: true, by: owner, call: call, origin: .house)
                guard case .admitted(let command, _) = outcome else { throw CancellationError() }
                ids.insert(try await house.hub.commands.outcome(of: command).id)
                #expect(isReplay == (count > 0))
            }
            #expect(ids.count == 1 && house.doorBackend.backendCommands.count == 1)
            // With that key it means this link, and with another key this link is used.
            let different = IdempotencyKey(key: "tap-1", method: "POST", path: "/api/v1/tags/tap", body: Data(other.utf8))
            await #expect(throws: IdempotencyKeyReusedError.self) {
                try await house.hub.tapHandler.handle(other, isConfirmed: true, by: owner, call: different, origin: .house)
            }
            #expect(try await house.tap(link, by: owner) == .used)
        }
    }

    /// They once belonged to one person, who was throttled after thirty: half of them never reached the counter.
    @Test("Of 64 concurrent taps with one touch, exactly one is admitted and the others are refused as used")
    func race() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (_, chip) = try await house.sunTag(for: house.button("hall-light", "on", by: owner), by: owner)
            let link = try chip.touch()
            var residents = [owner]
            for name in ["ada", "bea", "cleo"] { residents.append(try await house.resident(name, role: "member", by: owner).who) }
            let callers = (0..<64).map { residents[$0 % residents.count] }

            let came = try await withThrowingTaskGroup(of: TagRefusal?.self) { group in
                for who in callers { group.addTask { try await house.tap(link, by: who) } }
                return try await group.reduce(into: [TagRefusal?]()) { $0.append($1) }
            }

            #expect(came.count { $0 == nil } == 1 && came.count { $0 == .used } == 63)
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("SUN tags with custom parameter names and imported keys are accepted")
    func imported() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (meta, file, button) = (TagKey.make(), TagKey.make(), try await house.button(by: owner))
            let names = SUNKeys.ParameterNames(picc: "e", enc: "d", cmac: "c")
            let nature = Tags.Draft.Technology.sun(uid: SoftwareTag.oneUID, meta: meta, file: file, names: names)
            let added = try await house.hub.tags.add(
                .init(pressing: .button(button.id), label: nil, nature: nature), by: owner, call: nil, origin: .house)
            var chip = SoftwareTag(uid: SoftwareTag.oneUID, meta: meta, file: file, names: .init(picc: "e", enc: "d", cmac: "c"))

            #expect(added.meta == nil && added.file == nil)
            #expect(try await house.tap(chip.touch("https://house.example/t/\(added.tag.id)"), by: owner) == nil)
            house.clock.advance(by: 3)
            #expect(try await house.tap(chip.touch("https://house.example/t"), by: owner) == nil)
            await #expect(throws: Tags.TagError.self) {
                try await house.hub.tags.add(
                    .init(pressing: .button(button.id), label: nil, nature: nature), by: owner, call: nil, origin: .house)
            }
            // Beside a tag with other parameter names, and after it was removed and added again, when its earlier messages are still
            // invalid.
            let plain = Tags.Draft.Technology.sun(uid: Data(SoftwareTag.oneUID.reversed()), meta: nil, file: nil, names: .standard)
            _ = try await house.hub.tags.add(
                .init(pressing: .button(button.id), label: nil, nature: plain), by: owner, call: nil, origin: .house)
            var old = SoftwareTag(uid: SoftwareTag.oneUID, meta: meta, file: file, names: .init(picc: "e", enc: "d", cmac: "c"))
            try await house.hub.tags.remove(added.tag.id, by: owner, origin: .house)
            _ = try await house.hub.tags.add(
                .init(pressing: .button(button.id), label: nil, nature: nature), by: owner, call: nil, origin: .house)
            #expect(try await house.tap(old.touch("https://house.example/t"), by: owner) == .replayed)
            #expect(try await house.tap(chip.touch("https://house.example/t"), by: owner) == nil)
        }
    }

    @Test("After a restore, earlier links are refused, and a newer touch resynchronizes the tag's counter")
    func putBack() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button(by: owner)
            var (tag, chip) = try await house.sunTag(for: button, by: owner)
            let (older, old) = (try chip.touch(), try chip.touch())
            #expect(try await house.tap(old, by: owner) == nil)
            let made = try await house.hub.tags.issueSignedLink(.button(button.id), by: owner, call: nil, origin: .house).0
            let live = "smp://action?" + made.query.reveal()
            let now = house.clock.now.milliseconds
            try await house.store.write { db in
                try db.execute(sql: "UPDATE backups SET restored_at = ?1, restored_from = ?1", arguments: [now])
                try db.execute(sql: "UPDATE tags SET unsynced_at = ?", arguments: [now])
            }

            #expect(try await house.tap(live, by: owner) == .stale)
            #expect(try await house.tap(older, by: owner) == .replayed)
            #expect(try await house.tap(old, by: owner) == .replayed)
            #expect(try await house.tap(chip.touch(), by: owner) == .synced)
            #expect(house.doorBackend.backendCommands.count == 1)
            house.clock.advance(by: 3)
            #expect(try await house.tap(chip.touch(), by: owner) == nil)
            tag = try await house.hub.tags.one(tag.id, seenBy: owner)
            #expect(house.doorBackend.backendCommands.count == 2 && tag.counter == 4)
        }
    }
}
