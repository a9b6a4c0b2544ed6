import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Tag activation by read-back", .timeLimit(.minutes(10)))
struct TagWritingTests {
    private func link(_ tag: CardeaModel.Tag) -> String { "https://house.example/t/\(tag.id)" }

    private func add(
        _ house: TestHouse, _ button: Button, by owner: Principal, _ pending: Tags.Draft.Pending? = nil
    ) async throws -> CardeaModel.Tag {
        let draft = Tags.Draft(pressing: .button(button.id), label: nil, nature: .memory, pending: pending)
        return try await house.hub.tags.add(draft, by: owner, call: nil, origin: .house).tag
    }

    private func presses(_ house: TestHouse, _ tag: CardeaModel.Tag, by owner: Principal) async throws -> TagRefusal? {
        let outcome = try await house.hub.tapHandler.handle(link(tag), isConfirmed: true, by: owner, origin: .house).outcome
        if case .refused(let refusal, _) = outcome { return refusal }
        return nil
    }

    private func withButton(_ body: @escaping @Sendable (TestHouse, Principal, Button) async throws -> Void) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let draft = Buttons.Draft(title: "Light", action: .init(deviceID: "hall-light", action: "on"))
            try await body(house, owner, try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0)
        }
    }

    @Test("A replaced tag works until its successor is read back, then only the successor works")
    func replacing() async throws {
        try await withButton { house, owner, button in
            let old = try await add(house, button, by: owner)
            let new = try await add(house, button, by: owner, .init(replaces: old.id))

            #expect(new.state == .pending && new.writtenAt == nil)
            #expect(try await presses(house, new, by: owner) == .unwritten)
            #expect(try await presses(house, old, by: owner) == nil)

            await #expect(throws: Tags.TagError.self) {
                try await house.hub.tags.promote(new.id, readBack: link(old), by: owner, origin: .house)
            }
            let written = try await house.hub.tags.promote(new.id, readBack: link(new), by: owner, origin: .house)
            // A repetition, as after a lost answer, changes nothing.
            let again = try await house.hub.tags.promote(new.id, readBack: link(new), by: owner, origin: .house)

            #expect(written.state == .active && written.writtenAt == house.clock.now && written.replaces == nil && again == written)
            #expect(try await presses(house, new, by: owner) == nil)
            #expect(try await presses(house, old, by: owner) == .unknown)
            #expect(try await house.hub.tags.all(seenBy: owner) == [try await house.hub.tags.one(new.id, seenBy: owner)])
        }
    }

    @Test("A tag for a new action creates its button, and later tags for that action reuse it")
    func granted() async throws {
        try await withButton { house, owner, button in
            func tag(_ action: String, _ label: String) async throws -> CardeaModel.Tag {
                let grant = Tags.PressTarget.grant(.init(deviceID: "hall-light", action: action))
                let draft = Tags.Draft(pressing: grant, label: label, nature: .memory)
                return try await house.hub.tags.add(draft, by: owner, call: nil, origin: .house).tag
            }
            let (first, second) = (try await tag("off", "Hall"), try await tag("off", "Bed"))
            let same = try await tag("on", "Kitchen")

            #expect(first.buttonID == second.buttonID && same.buttonID == button.id)
            let made = try await house.hub.buttons.one(first.buttonID, seenBy: owner)
            #expect(made.title == "Hall light: off" && made.index == button.index + 1)
            #expect(try await presses(house, first, by: owner) == nil)
            await #expect(throws: Buttons.ButtonError.self) { try await tag("unlock", "Door") }
        }
    }

    @Test("A member can create a live link for an existing button's action but cannot create a button")
    func grantedToMember() async throws {
        try await withButton { house, owner, button in
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            func link(_ action: String) async throws -> String {
                let grant = Tags.PressTarget.grant(.init(deviceID: "hall-light", action: action))
                return try await house.hub.tags.issueSignedLink(grant, by: member, call: nil, origin: .house).0.buttonID
            }

            #expect(try await link("on") == button.id)
            await #expect(throws: People.PersonError.self) { try await link("off") }
            #expect(try await house.hub.buttons.all(seenBy: owner) == [button])
        }
    }

    @Test("A pending tag disappears after its write deadline, and the old tag stays")
    func abandoned() async throws {
        try await withButton { house, owner, button in
            let old = try await add(house, button, by: owner)
            let new = try await add(house, button, by: owner, .init(replaces: old.id))
            house.clock.advance(by: CardeaModel.Tag.writeDeadline + 1)

            #expect(try await house.hub.tags.all(seenBy: owner).map(\.id) == [old.id])
            await #expect(throws: Tags.TagError.self) {
                try await house.hub.tags.promote(new.id, readBack: link(new), by: owner, origin: .house)
            }
            #expect(try await presses(house, old, by: owner) == nil)
        }
    }

    @Test("A fourth tag is accepted only as a replacement of a tag of the same button")
    func full() async throws {
        try await withButton { house, owner, button in
            var tags: [CardeaModel.Tag] = []
            for _ in 0..<3 { tags.append(try await add(house, button, by: owner)) }
            let draft = Buttons.Draft(title: "Other", action: .init(deviceID: "hall-light", action: "off"))
            let other = try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0

            await #expect(throws: Tags.TagError.self) { try await add(house, button, by: owner) }
            await #expect(throws: Tags.TagError.self) { try await add(house, button, by: owner, .init()) }
            await #expect(throws: Tags.TagError.self) { try await add(house, other, by: owner, .init(replaces: tags[0].id)) }
            let new = try await add(house, button, by: owner, .init(replaces: tags[0].id))
            _ = try await house.hub.tags.promote(new.id, readBack: link(new), by: owner, origin: .house)
            #expect(try await house.hub.tags.all(seenBy: owner).count == 3)
        }
    }
}
