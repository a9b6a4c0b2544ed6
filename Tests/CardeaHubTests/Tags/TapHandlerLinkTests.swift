import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Links of plain tags and live links", .timeLimit(.minutes(10)))
struct TapHandlerLinkTests {
    @Test("A preview returns the tap's outcome without using it up, and repeated unknown previews are throttled")
    func look() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button(by: owner)
            var (_, chip) = try await house.sunTag(for: button, by: owner)
            let made = try await house.hub.tags.issueSignedLink(.button(button.id), by: owner, call: nil, origin: .house).0
            let live = "smp://action?" + made.query.reveal()
            func look(_ link: String) async throws -> TagRefusal? {
                let seen = try await house.hub.tapHandler.preview(link, by: owner, origin: .house)
                #expect((seen.button?.id == button.id) == ![.unknown, .tooMany].contains(seen.refusal))
                return seen.refusal
            }
            for link in [live, try chip.touch()] {
                #expect(try await look(link) == nil)
                #expect(try await look(link) == nil && house.doorBackend.backendCommands.count == (link == live ? 0 : 1))
                #expect(try await house.tap(link, by: owner) == nil)
                #expect(try await look(link) == .used)
                house.clock.advance(by: 3)
            }
            var copy = SoftwareTag(uid: SoftwareTag.oneUID, meta: .make(), file: .make())
            #expect(try await look(copy.touch()) == .unknown)
            let kept = try chip.touch()
            #expect(try await house.tap(chip.touch(), by: owner) == nil)
            #expect(try await look(kept) == .replayed)
            // Two residents: one still had the question on the screen while the other touched the tag and confirmed first.
            house.clock.advance(by: 3)
            let waits = try chip.touch()
            #expect(try await look(waits) == nil)
            #expect(try await house.tap(chip.touch(), by: owner) == nil)
            #expect(try await house.tap(waits, by: owner) == .replayed)
            house.clock.advance(by: 3)
            let tags = try await house.hub.tags.all(seenBy: owner)
            #expect(tags.allSatisfy { $0.alarmedAt == nil })
            for _ in 0..<31 { _ = try await look("https://house.example/t/nobodys") }
            #expect(try await house.hub.tapHandler.preview(kept, by: owner, origin: .house).refusal == .tooMany)
        }
    }

    @Test("Altered, foreign and removed tags' links are refused and send no order")
    func strangers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (tag, chip) = try await house.sunTag(for: house.button(by: owner), by: owner)
            let link = try chip.touch()
            let last = try #require(link.last)
            var stranger = SoftwareTag(uid: SoftwareTag.oneUID, meta: .make(), file: .make())

            #expect(try await house.tap(String(link.dropLast()) + (last == "0" ? "1" : "0"), by: owner) == .forged)
            #expect(try await house.tap(link + "&more=1", by: owner) == .malformed)
            #expect(try await house.tap(stranger.touch(), by: owner) == .unknown)
            #expect(try await house.tap("https://house.example/t/\(tag.id)", by: owner) == .unknown)
            #expect(try await house.tap("https://house.example/t/nobodys", by: owner) == .unknown)
            #expect(try await house.tap("smp://action?idx=0&idx=1", by: owner) == .malformed)
            try await house.hub.tags.remove(tag.id, by: owner, origin: .house)
            #expect(try await house.tap(link, by: owner) == .unknown)

            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("A plain tag needs confirmation for a light, unless the policy allows it at once, and cannot open a door")
    func memory() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let light = try await house.tag(for: house.button("hall-light", "on", by: owner), by: owner).tag.place
            let door = try await house.tag(for: house.button(by: owner), by: owner).tag.place

            #expect(try await house.tap(light, by: owner) == .unconfirmed)
            #expect(house.doorBackend.backendCommands.isEmpty)
            #expect(try await house.tap(light, by: owner, isConfirmed: true) == nil)
            #expect(try await house.tap(light, by: owner, isConfirmed: true) == .cooldown)
            #expect(try await house.tap(door, by: owner, isConfirmed: true) == .needsProof)
            house.clock.advance(by: 3)
            _ = try await house.hub.tags.updatePolicy(TagPolicy(control: .atOnce), seen: .any, by: owner, origin: .house)
            #expect(try await house.tap(light, by: owner) == nil)

            #expect(house.doorBackend.backendCommands.map(\.deviceID) == ["hall-light", "hall-light"])
        }
    }

    @Test("A live link carries its creator's rights, works once and expires after two minutes")
    func live() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let button = try await house.button(by: owner)
            // Only the owner opens this one.
            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            func link(_ who: Principal) async throws -> String {
                "smp://action?"
                    + (try await house.hub.tags.issueSignedLink(.button(button.id), by: who, call: nil, origin: .house).0.query.reveal())
            }
            let (mine, theirs, old) = (try await link(owner), try await link(member), try await link(owner))

            #expect(Set([mine, theirs, old]).count == 3)
            #expect(try await house.tap(mine, by: member) == nil)
            #expect(try await house.tap(mine, by: owner) == .used)
            await #expect(throws: CommandRefusal.gate(.securityDevice)) { try await house.tap(theirs, by: owner) }
            #expect(try await house.tap(theirs, by: owner) == .used)
            house.clock.advance(by: 130)
            #expect(try await house.tap(old, by: owner) == .stale)
            #expect(try await house.tap(old.replacingOccurrences(of: "idx=0", with: "idx=1"), by: owner) == .unknown)

            let meant = try await link(owner)
            let other = Buttons.Draft(title: "Button", action: .init(deviceID: "front-door", action: "lock"))
            _ = try await house.hub.buttons.replace(button.id, with: other, seen: .any, by: owner, origin: .house)
            #expect(try await house.hub.tapHandler.preview(meant, by: member, origin: .house).refusal == .outdated)
            #expect(try await house.tap(meant, by: member) == .outdated)
            let late = try await link(owner)
            try await house.hub.tags.invalidateSignedLinks(button.id, by: owner, origin: .house)
            #expect(try await house.tap(late, by: owner) == .forged)
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("Taps are refused when tags or the button are off, and after the button changed until the tag is renewed")
    func switches() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var button = try await house.button("hall-light", "on", by: owner)
            let link = try await house.tag(for: button, by: owner).tag.place
            var draft = Buttons.Draft(title: "Button", action: .init(deviceID: "hall-light", action: "on"))

            _ = try await house.hub.tags.updatePolicy(TagPolicy(isOn: false), seen: .any, by: owner, origin: .house)
            #expect(try await house.tap(link, by: owner, isConfirmed: true) == .off)
            _ = try await house.hub.tags.updatePolicy(TagPolicy(control: .atOnce), seen: .any, by: owner, origin: .house)
            draft.answersTags = false
            button = try await house.hub.buttons.replace(button.id, with: draft, seen: .any, by: owner, origin: .house)
            #expect(try await house.tap(link, by: owner) == .buttonOff)
            draft.behavior = .command(.init(deviceID: "hall-light", action: "off"))
            button = try await house.hub.buttons.replace(button.id, with: draft, seen: .any, by: owner, origin: .house)
            #expect(try await house.tap(link, by: owner) == .outdated)
            let id = try #require(link.split(separator: "/").last.map(String.init))
            await #expect(throws: Tags.TagError.self) {
                try await house.hub.tags.renew(id, label: nil, seen: button.version - 1, by: owner, origin: .house)
            }
            // It was renewed with every label change: writing down its place changed what it pressed.
            let labelled = try await house.hub.tags.renew(id, label: "Stairs", by: owner, origin: .house)
            #expect(labelled.label == "Stairs" && labelled.isOutdated)
            #expect(try await house.tap(link, by: owner) == .outdated)
            let renewed = try await house.hub.tags.renew(id, label: "Hall", seen: button.version, by: owner, origin: .house)
            #expect(renewed.label == "Hall" && !renewed.isOutdated)
            #expect(try await house.hub.tags.renew(id, label: nil, by: owner, origin: .house).label == "Hall")
            #expect(try await house.tap(link, by: owner) == .buttonOff)
            guard case .command = try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house) else {
                Issue.record("a screen presses it either way")
                return
            }
            draft.isEnabled = false
            _ = try await house.hub.buttons.replace(button.id, with: draft, seen: .any, by: owner, origin: .house)
            await #expect(throws: Buttons.ButtonError.self) {
                try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house)
            }
        }
    }

    @Test("Repeated unknown links are throttled, and a valid one is accepted afterwards")
    func throttled() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (_, chip) = try await house.sunTag(for: house.button(by: owner), by: owner)
            for _ in 0..<31 { #expect(try await house.tap("https://house.example/t/nobodys", by: owner) == .unknown) }

            #expect(try await house.tap(chip.touch(), by: owner) == .tooMany)
            house.clock.advance(by: 61)
            #expect(try await house.tap(chip.touch(), by: owner) == nil)
        }
    }

    @Test("Button numbers are not reused, a button has at most three tags, and well-known keys are rejected")
    func limits() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let first = try await house.button(by: owner)
            try await house.hub.buttons.remove(first.id, seen: .any, by: owner, origin: .house)
            let second = try await house.button(by: owner)
            #expect(first.index == 0 && second.index == 1)

            for _ in 0..<3 { _ = try await house.tag(for: second, by: owner) }
            await #expect(throws: Tags.TagError.self) { try await house.tag(for: second, by: owner) }
            #expect(throws: TagKey.KeyError.wellKnown) { try TagKey(hex: Secret(String(repeating: "00", count: 16))) }
        }
    }

    // A lamp reported its white range, a button had a colder value, and its copyable tag was treated as a door's, which needs a proof.
    @Test("A tag on a color button needs confirmation and sends the lamp's nearest supported color temperature")
    func beyondTheWhites() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let lamp = Entity(id: "light.desk", kind: .light, name: "Light", verbs: [.on, .setColor], state: EntityState("on"))
            try await house.hub.devices.announce(
                Device(
                    id: "desk", name: "Desk", deviceClass: .light, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now, entities: [lamp]))
            let draft = Buttons.Draft(title: "Cold", action: .init(deviceID: "desk", action: "set_color", value: ["temperature": 6500]))
            let button = try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
            let place = try await house.tag(for: button, by: owner).tag.place
            try await house.hub.devices.report([
                EntityReport(entityID: lamp.id, state: EntityState("on", attributes: [EntityState.coldestWhite: 6000]))
            ])

            house.doorBackend.set(.neverReports, at: lamp.id)

            #expect(try await house.tap(place, by: owner) == .unconfirmed)
            #expect(try await house.tap(place, by: owner, isConfirmed: true) == nil)
            let coldest: [JSONValue?] = [["temperature": 6000]]
            #expect(house.doorBackend.backendCommands.map(\.value) == coldest)
        }
    }
}
