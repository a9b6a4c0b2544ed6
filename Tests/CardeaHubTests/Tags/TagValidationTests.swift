import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Tag validation", .timeLimit(.minutes(10)))
struct TagValidationTests {
    /// The name of the error that a body throws; nil if it throws none.
    private func problem(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let problem as Tags.TagError { return String(describing: problem).split(separator: "(").first.map(String.init) }
    }

    @Test("Invalid UIDs, parameter names, labels and replaced tags are rejected by field")
    func drafts() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await house.button("hall-light", "on", by: owner)
        func adding(_ nature: Tags.Draft.Technology, label: String? = nil, replacing other: String? = nil) async throws -> String? {
            let pending = other.map { Tags.Draft.Pending(replaces: $0) }
            return try await problem { _ = try await house.tag(for: button, nature, label: label, pending: pending, by: owner) }
        }

        for count in [0, 4, 6, 8] {
            #expect(try await adding(.sun(uid: Data(count: count), meta: nil, file: nil, names: .standard)) == "uid")
        }
        for names in [
            SUNKeys.ParameterNames(picc: "e", enc: "e", cmac: "c"), .init(picc: "", enc: "e", cmac: "c"),
            .init(picc: "1", enc: "e", cmac: "c"),
        ] {
            #expect(try await adding(.sun(uid: SoftwareTag.oneUID, meta: nil, file: nil, names: names)) == "names")
        }
        let key = TagKey.make()
        #expect(try await adding(.sun(uid: SoftwareTag.oneUID, meta: key, file: key, names: .standard)) == "sameKeys")
        #expect(try await adding(.memory, label: " ") == "label")
        #expect(try await adding(.memory, replacing: "tag_none") == "noReplacedTag")
        #expect(try await house.hub.tags.all(seenBy: owner).isEmpty)

        let tag = try await house.tag(for: button, label: "Hall", by: owner).tag
        #expect(try await problem { _ = try await house.hub.tags.renew(tag.id, label: " ", by: owner, origin: .house) } == "label")
        #expect(try await house.hub.tags.one(tag.id, seenBy: owner).label == "Hall")
    }

    /// The tag's bare address was once enough, so that an unwritten tag replaced a working one.
    @Test("A SUN tag becomes active only when its own touch is read back")
    func readBack() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button("hall-light", "on", by: owner)
            var (tag, chip) = try await house.sunTag(for: button, pending: .init(), by: owner)
            let plain = try await house.tag(for: button, pending: .init(), by: owner).tag
            let live = try await house.hub.tags.issueSignedLink(.button(button.id), by: owner, call: nil, origin: .house).0
            let touch = try chip.touch(tag.place)
            func promoting(_ id: String, _ link: String) async throws -> String? {
                try await problem { _ = try await house.hub.tags.promote(id, readBack: link, by: owner, origin: .house) }
            }

            var stranger = SoftwareTag(uid: SoftwareTag.oneUID, meta: .make(), file: .make())
            let altered = String(touch.dropLast()) + (touch.hasSuffix("0") ? "1" : "0")
            for link in [
                plain.place, "smp://action?" + live.query.reveal(), "https://house.example/", "", try chip.touch(), tag.place,
                "\(tag.place)?picc_data=00&cmac=00", altered, try stranger.touch(tag.place),
            ] {
                #expect(try await promoting(tag.id, link) == "notReadBack")
            }
            #expect(try await promoting(plain.id, "\(plain.place)?picc_data=00&cmac=00") == "notReadBack")
            #expect(try await house.tap(touch, by: owner, isConfirmed: true) == .unwritten)
            #expect(try await promoting(tag.id, touch) == nil)
            #expect(try await promoting(tag.id, touch) == nil)
            #expect(try await house.hub.tags.one(tag.id, seenBy: owner).state == .active)
            #expect(try await house.tap(touch, by: owner, isConfirmed: true) == .used)
            #expect(try await house.tap(chip.touch(tag.place), by: owner, isConfirmed: true) == nil)
        }
    }

    @Test("A touch older than the tag's last one does not activate it, and the touch that does is used up")
    func keptTouch() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button("hall-light", "on", by: owner)
            var (tag, chip) = try await house.sunTag(for: button, pending: .init(), by: owner)
            let (kept, latest) = (try chip.touch(tag.place), try chip.touch(tag.place))
            #expect(try await house.tap(latest, by: owner, isConfirmed: true) == .unwritten)
            func promoting(_ link: String) async throws -> String? {
                try await problem { _ = try await house.hub.tags.promote(tag.id, readBack: link, by: owner, origin: .house) }
            }

            #expect(try await promoting(kept) == "notReadBack")
            let next = try chip.touch(tag.place)
            #expect(try await promoting(next) == nil)

            #expect(try await house.hub.tags.one(tag.id, seenBy: owner).counter == 3)
            #expect(try await house.tap(next, by: owner, isConfirmed: true) == .used)
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("A pending tag cannot be activated when its button already has three tags")
    func writtenWhenFull() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await house.button("hall-light", "on", by: owner)
        let late = try await house.tag(for: button, pending: .init(), by: owner).tag
        for _ in 0..<3 { _ = try await house.tag(for: button, by: owner) }

        let came = try await problem { _ = try await house.hub.tags.promote(late.id, readBack: late.place, by: owner, origin: .house) }

        #expect(came == "full")
        #expect(try await house.hub.tags.all(seenBy: owner).filter { $0.state == .active }.count == 3)
    }

    @Test("A repeated creation of a removed tag with its idempotency key is not found")
    func removedMeanwhile() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await house.button("hall-light", "on", by: owner)
        let call = IdempotencyKey(key: "tag-1", method: "POST", path: "/api/v1/tags", body: Data())
        let added = try await house.tag(for: button, call: call, by: owner)
        let again = try await house.tag(for: button, call: call, by: owner)
        #expect(!added.isReplay && again.isReplay && again.tag == added.tag)

        try await house.hub.tags.remove(added.tag.id, by: owner, origin: .house)

        #expect(try await problem { _ = try await house.tag(for: button, call: call, by: owner) } == "notFound")
        #expect(try await house.hub.tags.all(seenBy: owner).isEmpty)
    }

    @Test("A replayed tap after its button was removed is refused as unknown")
    func buttonGone() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button("hall-light", "on", by: owner)
            let link = try await house.tag(for: button, by: owner).tag.place
            let call = IdempotencyKey(key: "tap-1", method: "POST", path: "/api/v1/tags/tap", body: Data(link.utf8))
            func tap() async throws -> (outcome: TapHandler.Outcome, isReplay: Bool) {
                try await house.hub.tapHandler.handle(link, isConfirmed: true, by: owner, call: call, origin: .house)
            }
            guard case .admitted(let command, _) = try await tap().outcome else { throw CancellationError() }
            _ = try await house.hub.commands.outcome(of: command)

            try await house.hub.buttons.remove(button.id, seen: .any, by: owner, origin: .house)

            let again = try await tap()
            guard case .refused(.unknown, nil) = again.outcome else { throw CancellationError() }
            #expect(again.isReplay && house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("Two SUN tags of one house are identified independently and cannot use each other's link")
    func two() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (on, off) = (try await house.button("hall-light", "on", by: owner), try await house.button("hall-light", "off", by: owner))
            var (first, one) = try await house.sunTag(for: on, by: owner)
            var (_, two) = try await house.sunTag(for: off, uid: SoftwareTag.otherUID, by: owner)

            #expect(try await house.tap(one.touch(), by: owner, isConfirmed: true) == nil)
            #expect(try await house.tap(two.touch(), by: owner, isConfirmed: true) == nil)
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.on, .off])
            house.clock.advance(by: 3)
            #expect(try await house.tap(two.touch(first.place), by: owner, isConfirmed: true) == .unknown)
            first = try await house.hub.tags.one(first.id, seenBy: owner)
            #expect(first.counter == 1)
        }
    }

    @Test("Touches of unknown tags, of tags without keys and in LRP mode are refused")
    func strangers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button("hall-light", "on", by: owner)
            var (tag, chip) = try await house.sunTag(for: button, by: owner)
            let plain = try await house.tag(for: button, by: owner).tag

            #expect(try await house.tap(chip.touch("https://house.example/t/nobodys"), by: owner, isConfirmed: true) == .unknown)
            #expect(try await house.tap(chip.touch(plain.place), by: owner, isConfirmed: true) == .unknown)
            let lrp = "?picc_data=\(String(repeating: "0F", count: 24))&cmac=\(String(repeating: "0F", count: 8))"
            for base in ["https://house.example/t/", tag.place] {
                #expect(try await house.tap(base + lrp, by: owner, isConfirmed: true) == .unsupported)
            }
            tag = try await house.hub.tags.one(tag.id, seenBy: owner)
            #expect(tag.counter == nil && house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test(
        "A live link made by a device with the button's secret works once and is invalid after the secret changes"
    )
    func madeElsewhere() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button("hall-light", "on", by: owner)
            let secret = try await house.store.read { try ButtonRecords.secret(of: button.id, by: house.sealing, $0) }
            func link(ahead: TimeInterval) throws -> String {
                let moment = house.clock.now.addingTimeInterval(ahead)
                return "smp://action?" + SignedActionLink.query(index: button.index, at: moment, try #require(secret)).reveal()
            }
            let (first, second) = (try link(ahead: 0), try link(ahead: 1))

            let look = try await house.hub.tapHandler.preview(first, by: owner, origin: .house)
            #expect(look.button == button && look.refusal == nil)
            #expect(try await house.tap(first, by: owner, isConfirmed: true) == nil)
            #expect(try await house.tap(first, by: owner, isConfirmed: true) == .used)
            #expect(try await house.hub.tapHandler.preview(first, by: owner, origin: .house).refusal == .used)
            try await house.hub.tags.invalidateSignedLinks(button.id, by: owner, origin: .house)
            #expect(try await house.tap(second, by: owner, isConfirmed: true) == .forged)
            #expect(house.doorBackend.backendCommands.count == 1)
            #expect(try await house.store.read { try ButtonRecords.secret(of: "button_none", by: house.sealing, $0) } == nil)
        }
    }

    @Test("A button issues at most five live links per second")
    func tooMany() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await house.button("hall-light", "on", by: owner)
        func make() async throws -> String {
            try await house.hub.tags.issueSignedLink(.button(button.id), by: owner, call: nil, origin: .house).0.query.reveal()
        }
        var links: Set<String> = []
        for _ in 0..<5 { links.insert(try await make()) }

        #expect(try await problem { _ = try await make() } == "tooMany")
        house.clock.advance(by: 1)
        links.insert(try await make())

        #expect(links.count == 6)
    }

    @Test(
        "With its device removed, a plain tag needs proof and a SUN tag reports the device as not found"
    )
    func deviceGone() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button("hall-light", "on", by: owner)
            let plain = try await house.tag(for: button, by: owner).tag
            var (_, chip) = try await house.sunTag(for: button, by: owner)
            #expect(try await house.tap(plain.place, by: owner, isConfirmed: true) == nil)
            house.clock.advance(by: 3)

            try await house.hub.devices.withdraw(deviceID: "hall-light", integration: "scripted")

            #expect(try await house.tap(plain.place, by: owner, isConfirmed: true) == .needsProof)
            await #expect(throws: CommandRefusal.deviceNotFound) { try await house.tap(chip.touch(), by: owner, isConfirmed: true) }
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("A stale tag policy change is refused, and an unreadable policy refuses every tap")
    func policy() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let link = try await house.tag(for: house.button("hall-light", "on", by: owner), by: owner).tag.place
            let (before, version) = try await house.hub.tags.policy(seenBy: owner)
            await #expect {
                try await house.hub.tags.updatePolicy(TagPolicy(isOn: false), seen: .oneOf([version + 1]), by: owner, origin: .house)
            } throws: {
                if let stale = $0 as? Tags.StalePolicyError { stale.policy == before && stale.version == version } else { false }
            }
            #expect(try await house.hub.tags.policy(seenBy: owner) == (before, version))
            let changed = try await house.hub.tags.updatePolicy(
                TagPolicy(control: .atOnce), seen: .oneOf([version]), by: owner, origin: .house)
            #expect(changed == (TagPolicy(control: .atOnce), version + 1))

            // A newer hub may use another value.
            try await house.store.write { try $0.execute(sql: "UPDATE tag_settings SET control = 'whenever', open = 'on_sundays'") }
            #expect(try await house.hub.tags.policy(seenBy: owner).policy == TagPolicy(control: .never, open: .never))
            #expect(try await house.tap(link, by: owner, isConfirmed: true) == .notByTag)
            // A house without the settings leaves tags nothing, and gives no numbers.
            try await house.store.write { try $0.execute(sql: "DELETE FROM tag_settings") }
            #expect(try await house.tap(link, by: owner, isConfirmed: true) == .off)
            await #expect(throws: Buttons.ButtonError.self) { try await house.button("hall-light", "on", by: owner) }
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("A tag with an unknown kind or state is refused as unknown", arguments: ["kind = 'ring'", "state = 'resting'"])
    func newer(change: String) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let tag = try await house.tag(for: house.button("hall-light", "on", by: owner), pending: .init(), by: owner).tag
            #expect(try await house.tap(tag.place, by: owner, isConfirmed: true) == .unwritten)
            // This hub's store would refuse it; a newer hub's might not.
            try await house.store.write { db in
                try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
                try db.execute(sql: "UPDATE tags SET \(change)")
                try db.execute(sql: "PRAGMA ignore_check_constraints = OFF")
            }

            #expect(try await house.hub.tags.all(seenBy: owner).isEmpty)
            #expect(try await house.tap(tag.place, by: owner, isConfirmed: true) == .unknown)
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }
}
