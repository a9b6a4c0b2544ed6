import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("What a tag may not be, and what it may not say", .timeLimit(.minutes(10)))
struct TagEdgeTests {
    private static let uid = Data([0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40])
    private static let other = Data([0x04, 0x95, 0x8C, 0xAA, 0x5C, 0x5E, 0x80])

    private func button(_ house: TestHouse, _ owner: Principal, device: String = "hall-light", _ action: String = "on") async throws
        -> Button
    {
        let draft = Buttons.Draft(title: "Button", action: .init(deviceID: device, action: action))
        return try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
    }

    private func add(
        _ house: TestHouse, _ button: Button, _ nature: Tags.Draft.Nature = .memory, label: String? = nil,
        pending: Tags.Draft.Pending? = nil, call: CallName? = nil, by owner: Principal
    ) async throws -> Tags.Added {
        try await house.hub.tags.add(
            .init(pressing: .button(button.id), label: label, nature: nature, pending: pending), by: owner, call: call, origin: .house)
    }

    private func sun(
        _ house: TestHouse, _ button: Button, uid: Data = uid, pending: Tags.Draft.Pending? = nil, by owner: Principal
    ) async throws -> (tag: CardeaModel.Tag, chip: SoftTag) {
        let nature = Tags.Draft.Nature.sun(uid: uid, meta: nil, file: nil, names: .standard)
        let added = try await add(house, button, nature, pending: pending, by: owner)
        return (added.tag, SoftTag(uid: uid, meta: try #require(added.meta), file: try #require(added.file)))
    }

    private func place(_ tag: CardeaModel.Tag) -> String { "https://house.example/t/\(tag.id)" }

    /// Why it comes to nothing; nil where it is taken on.
    private func tap(_ house: TestHouse, _ link: String, by who: Principal, isConfirmed: Bool = true) async throws -> TagRefusal? {
        switch try await house.hub.taps.tap(link, isConfirmed: isConfirmed, by: who, origin: .house).outcome {
        case .refused(let refusal, _): return refusal
        case .denied(let refusal, _): throw refusal
        case .taken(let command, _):
            _ = try await house.hub.commands.outcome(of: command)
            return nil
        }
    }

    /// What the house complains about, as its name.
    private func problem(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let problem as Tags.Problem { return String(describing: problem).split(separator: "(").first.map(String.init) }
    }

    @Test("A number of another length, names that are none, an empty label, and a place of none: each is refused by what is wrong")
    func drafts() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await button(house, owner)
        func adding(_ nature: Tags.Draft.Nature, label: String? = nil, replacing other: String? = nil) async throws -> String? {
            let pending = other.map { Tags.Draft.Pending(replaces: $0) }
            return try await problem { _ = try await add(house, button, nature, label: label, pending: pending, by: owner) }
        }

        for count in [0, 4, 6, 8] {
            #expect(try await adding(.sun(uid: Data(count: count), meta: nil, file: nil, names: .standard)) == "uid")
        }
        for names in [
            SUNKeys.Names(picc: "e", enc: "e", cmac: "c"), .init(picc: "", enc: "e", cmac: "c"), .init(picc: "1", enc: "e", cmac: "c"),
        ] {
            #expect(try await adding(.sun(uid: Self.uid, meta: nil, file: nil, names: names)) == "names")
        }
        let key = TagKey.make()
        #expect(try await adding(.sun(uid: Self.uid, meta: key, file: key, names: .standard)) == "sameKeys")
        #expect(try await adding(.memory, label: " ") == "label")
        #expect(try await adding(.memory, replacing: "tag_none") == "noOther")
        #expect(try await house.hub.tags.all(seenBy: owner).isEmpty)

        let tag = try await add(house, button, label: "Hall", by: owner).tag
        #expect(try await problem { _ = try await house.hub.tags.renew(tag.id, label: " ", by: owner, origin: .house) } == "label")
        #expect(try await house.hub.tags.one(tag.id, seenBy: owner).label == "Hall")
    }

    /// The tag's bare address was enough, so that a tag nobody had written took the place of one that worked.
    @Test("A tag that proves its touches counts when a touch of it was read back, and no other link")
    func readBack() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            var (tag, chip) = try await sun(house, button, pending: .init(), by: owner)
            let plain = try await add(house, button, pending: .init(), by: owner).tag
            let live = try await house.hub.tags.live(.button(button.id), by: owner, call: nil, origin: .house).0
            let touch = try chip.touch(place(tag))
            func promoting(_ id: String, _ link: String) async throws -> String? {
                try await problem { _ = try await house.hub.tags.promote(id, readBack: link, by: owner, origin: .house) }
            }

            var stranger = SoftTag(uid: Self.uid, meta: .make(), file: .make())
            let altered = String(touch.dropLast()) + (touch.hasSuffix("0") ? "1" : "0")
            for link in [
                place(plain), "smp://action?" + live.query.reveal(), "https://house.example/", "", try chip.touch(), place(tag),
                "\(place(tag))?picc_data=00&cmac=00", altered, try stranger.touch(place(tag)),
            ] {
                #expect(try await promoting(tag.id, link) == "notReadBack")
            }
            #expect(try await promoting(plain.id, "\(place(plain))?picc_data=00&cmac=00") == "notReadBack")
            #expect(try await tap(house, touch, by: owner) == .unwritten)
            #expect(try await promoting(tag.id, touch) == nil)
            #expect(try await promoting(tag.id, touch) == nil)
            #expect(try await house.hub.tags.one(tag.id, seenBy: owner).state == .active)
            #expect(try await tap(house, touch, by: owner) == .used)
            #expect(try await tap(house, chip.touch(place(tag)), by: owner) == nil)
        }
    }

    @Test("A touch that was kept from before its last one does not prove that a tag was written now, and the one that does is used up")
    func keptTouch() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            var (tag, chip) = try await sun(house, button, pending: .init(), by: owner)
            let (kept, latest) = (try chip.touch(place(tag)), try chip.touch(place(tag)))
            #expect(try await tap(house, latest, by: owner) == .unwritten)
            func promoting(_ link: String) async throws -> String? {
                try await problem { _ = try await house.hub.tags.promote(tag.id, readBack: link, by: owner, origin: .house) }
            }

            #expect(try await promoting(kept) == "notReadBack")
            let next = try chip.touch(place(tag))
            #expect(try await promoting(next) == nil)

            #expect(try await house.hub.tags.one(tag.id, seenBy: owner).counter == 3)
            #expect(try await tap(house, next, by: owner) == .used)
            #expect(house.doors.orders.isEmpty)
        }
    }

    @Test("Written too late, when its button has three others, it does not count")
    func writtenWhenFull() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await button(house, owner)
        let late = try await add(house, button, pending: .init(), by: owner).tag
        for _ in 0..<3 { _ = try await add(house, button, by: owner) }

        let came = try await problem { _ = try await house.hub.tags.promote(late.id, readBack: place(late), by: owner, origin: .house) }

        #expect(came == "full")
        #expect(try await house.hub.tags.all(seenBy: owner).filter { $0.state == .active }.count == 3)
    }

    @Test("Asked for again under its name after it was removed, a tag is not added again")
    func removedMeanwhile() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await button(house, owner)
        let call = CallName(key: "tag-1", method: "POST", path: "/api/v1/tags", body: Data())
        let added = try await add(house, button, call: call, by: owner)
        let again = try await add(house, button, call: call, by: owner)
        #expect(!added.isReplay && again.isReplay && again.tag == added.tag)

        try await house.hub.tags.remove(added.tag.id, by: owner, origin: .house)

        #expect(try await problem { _ = try await add(house, button, call: call, by: owner) } == "notFound")
        #expect(try await house.hub.tags.all(seenBy: owner).isEmpty)
    }

    @Test("A tap that is asked after again under its name, when its button has gone, was of nothing that the house knows")
    func buttonGone() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            let link = place(try await add(house, button, by: owner).tag)
            let call = CallName(key: "tap-1", method: "POST", path: "/api/v1/tags/tap", body: Data(link.utf8))
            func tap() async throws -> (outcome: Taps.Outcome, isReplay: Bool) {
                try await house.hub.taps.tap(link, isConfirmed: true, by: owner, call: call, origin: .house)
            }
            guard case .taken(let command, _) = try await tap().outcome else { throw CancellationError() }
            _ = try await house.hub.commands.outcome(of: command)

            try await house.hub.buttons.remove(button.id, seen: .any, by: owner, origin: .house)

            let again = try await tap()
            guard case .refused(.unknown, nil) = again.outcome else { throw CancellationError() }
            #expect(again.isReplay && house.doors.orders.count == 1)
        }
    }

    @Test("Two of the house's own tags are told apart, whichever was there first, and neither speaks for the other")
    func two() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (on, off) = (try await button(house, owner), try await button(house, owner, "off"))
            var (first, one) = try await sun(house, on, by: owner)
            var (_, two) = try await sun(house, off, uid: Self.other, by: owner)

            #expect(try await tap(house, one.touch(), by: owner) == nil)
            #expect(try await tap(house, two.touch(), by: owner) == nil)
            #expect(house.doors.orders.map(\.verb) == [.on, .off])
            house.clock.advance(by: 3)
            #expect(try await tap(house, two.touch(place(first)), by: owner) == .unknown)
            first = try await house.hub.tags.one(first.id, seenBy: owner)
            #expect(first.counter == 1)
        }
    }

    @Test("A touch that names no tag of the house, or one that proves nothing, and one that is encrypted otherwise come to nothing")
    func strangers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            var (tag, chip) = try await sun(house, button, by: owner)
            let plain = try await add(house, button, by: owner).tag

            #expect(try await tap(house, chip.touch("https://house.example/t/nobodys"), by: owner) == .unknown)
            #expect(try await tap(house, chip.touch(place(plain)), by: owner) == .unknown)
            let lrp = "?picc_data=\(String(repeating: "0F", count: 24))&cmac=\(String(repeating: "0F", count: 8))"
            for base in ["https://house.example/t/", place(tag)] { #expect(try await tap(house, base + lrp, by: owner) == .unsupported) }
            tag = try await house.hub.tags.one(tag.id, seenBy: owner)
            #expect(tag.counter == nil && house.doors.orders.isEmpty)
        }
    }

    @Test(
        "A link that a device made with the button's secret is looked at, used once by whoever taps, and is worth nothing under a new secret"
    )
    func madeElsewhere() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            let secret = try await house.store.read { try ButtonRecords.secret(of: button.id, by: house.sealing, $0) }
            func link(ahead: TimeInterval) throws -> String {
                let moment = house.clock.now.addingTimeInterval(ahead)
                return "smp://action?" + LiveLink.query(index: button.index, at: moment, try #require(secret)).reveal()
            }
            let (first, second) = (try link(ahead: 0), try link(ahead: 1))

            let look = try await house.hub.taps.look(first, by: owner, origin: .house)
            #expect(look.button == button && look.refusal == nil)
            #expect(try await tap(house, first, by: owner) == nil)
            #expect(try await tap(house, first, by: owner) == .used)
            #expect(try await house.hub.taps.look(first, by: owner, origin: .house).refusal == .used)
            try await house.hub.tags.regenerate(button.id, by: owner, origin: .house)
            #expect(try await tap(house, second, by: owner) == .forged)
            #expect(house.doors.orders.count == 1)
            #expect(try await house.store.read { try ButtonRecords.secret(of: "button_none", by: house.sealing, $0) } == nil)
        }
    }

    @Test("Five links of one button in one second are five, and the sixth waits for the next")
    func tooMany() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await button(house, owner)
        func make() async throws -> String {
            try await house.hub.tags.live(.button(button.id), by: owner, call: nil, origin: .house).0.query.reveal()
        }
        var links: Set<String> = []
        for _ in 0..<5 { links.insert(try await make()) }

        #expect(try await problem { _ = try await make() } == "tooMany")
        house.clock.advance(by: 1)
        links.insert(try await make())

        #expect(links.count == 6)
    }

    @Test(
        "A device that is gone is taken for a door: a tag that can be copied does not reach it, and one that proves its touches finds nothing"
    )
    func deviceGone() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            let plain = try await add(house, button, by: owner).tag
            var (_, chip) = try await sun(house, button, by: owner)
            #expect(try await tap(house, place(plain), by: owner) == nil)
            house.clock.advance(by: 3)

            try await house.hub.devices.withdraw(deviceID: "hall-light", integration: "scripted")

            #expect(try await tap(house, place(plain), by: owner) == .needsProof)
            await #expect(throws: CommandRefusal.deviceNotFound) { try await tap(house, chip.touch(), by: owner) }
            #expect(house.doors.orders.count == 1)
        }
    }

    @Test("What the house leaves to tags is changed by who has seen how it stands; what this hub cannot read is not left to them")
    func policy() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let link = place(try await add(house, button(house, owner), by: owner).tag)
            let (before, version) = try await house.hub.tags.policy(seenBy: owner)
            await #expect {
                try await house.hub.tags.change(TagPolicy(isOn: false), seen: .oneOf([version + 1]), by: owner, origin: .house)
            } throws: {
                if let stale = $0 as? Tags.StalePolicy { stale.policy == before && stale.version == version } else { false }
            }
            #expect(try await house.hub.tags.policy(seenBy: owner) == (before, version))
            let changed = try await house.hub.tags.change(
                TagPolicy(control: .atOnce), seen: .oneOf([version]), by: owner, origin: .house)
            #expect(changed == (TagPolicy(control: .atOnce), version + 1))

            // A newer hub may have had another word for it.
            try await house.store.write { try $0.execute(sql: "UPDATE tag_settings SET control = 'whenever', open = 'on_sundays'") }
            #expect(try await house.hub.tags.policy(seenBy: owner).policy == TagPolicy(control: .never, open: .never))
            #expect(try await tap(house, link, by: owner) == .notByTag)
            // And one that has lost it has left them nothing, and gives no numbers.
            try await house.store.write { try $0.execute(sql: "DELETE FROM tag_settings") }
            #expect(try await tap(house, link, by: owner) == .off)
            await #expect(throws: Buttons.Problem.self) { try await button(house, owner) }
            #expect(house.doors.orders.isEmpty)
        }
    }

    @Test("A tag of a kind or in a state that this hub does not know presses nothing", arguments: ["kind = 'ring'", "state = 'resting'"])
    func newer(change: String) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let tag = try await add(house, button(house, owner), pending: .init(), by: owner).tag
            #expect(try await tap(house, place(tag), by: owner) == .unwritten)
            // This hub's store would not keep it; a newer hub's might.
            try await house.store.write { db in
                try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
                try db.execute(sql: "UPDATE tags SET \(change)")
                try db.execute(sql: "PRAGMA ignore_check_constraints = OFF")
            }

            #expect(try await house.hub.tags.all(seenBy: owner).isEmpty)
            #expect(try await tap(house, place(tag), by: owner) == .unknown)
            #expect(house.doors.orders.isEmpty)
        }
    }
}
