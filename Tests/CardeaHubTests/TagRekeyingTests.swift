import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("A tag gets other keys", .timeLimit(.minutes(10)))
struct TagRekeyingTests {
    private static let uid = Data([0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40])
    private static let other = Data([0x04, 0x95, 0x8C, 0xAA, 0x5C, 0x5E, 0x80])

    private func button(_ house: TestHouse, _ owner: Principal) async throws -> Button {
        let draft = Buttons.Draft(title: "Door", action: .init(deviceID: "front-door", action: "unlock"))
        return try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
    }

    private func sun(
        _ house: TestHouse, _ button: Button, uid: Data = uid, pending: Tags.Draft.Pending? = nil, by owner: Principal
    ) async throws -> (tag: CardeaModel.Tag, chip: SoftTag) {
        let nature = Tags.Draft.Nature.sun(uid: uid, meta: nil, file: nil, names: .standard)
        let added = try await house.hub.tags.add(
            .init(pressing: .button(button.id), label: nil, nature: nature, pending: pending), by: owner, call: nil, origin: .house)
        return (added.tag, SoftTag(uid: uid, meta: try #require(added.meta), file: try #require(added.file)))
    }

    private func place(_ tag: CardeaModel.Tag) -> String { "https://house.example/t/\(tag.id)" }

    private func tap(_ house: TestHouse, _ link: String, by who: Principal) async throws -> TagRefusal? {
        switch try await house.hub.taps.tap(link, isConfirmed: true, by: who, origin: .house).outcome {
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
        } catch let problem as Tags.Problem { return String(describing: problem) }
    }

    @Test("Until it was read back the tag is believed by the keys that it had, and from then on by the new ones alone")
    func exchanged() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (tag, chip) = try await sun(house, button(house, owner), by: owner)
            #expect(try await tap(house, chip.touch(place(tag)), by: owner) == nil)

            let given = try await house.hub.tags.rekey(tag.id, by: owner, origin: .house)
            let again = try await house.hub.tags.rekey(tag.id, by: owner, origin: .house)

            #expect(given.new.meta.octets == again.new.meta.octets && given.new.file.octets == again.new.file.octets)
            let keys = [given.old.meta, given.old.file, given.new.meta, given.new.file].map(\.octets)
            #expect(Set(keys).count == 4 && given.new.names == given.old.names && given.tag.id == tag.id)
            var rekeyed = SoftTag(uid: Self.uid, meta: given.new.meta, file: given.new.file)
            let early = try rekeyed.touch(place(tag))
            house.clock.advance(by: 3)
            #expect(try await tap(house, early, by: owner) == .unknown, "the new ones are not read back")
            #expect(try await tap(house, chip.touch(place(tag)), by: owner) == nil, "the old ones are still good")

            let readBack = try rekeyed.touch(place(tag))
            let written = try await house.hub.tags.finishRekeying(tag.id, readBack: readBack, by: owner, origin: .house)

            #expect(written.writtenAt == house.clock.now && written.counter == 2)
            let later = try await house.hub.tags.finishRekeying(tag.id, readBack: readBack, by: owner, origin: .house)
            #expect(later == written, "said twice, it is the same")
            house.clock.advance(by: 3)
            #expect(try await tap(house, chip.touch(place(tag)), by: owner) == .unknown)
            #expect(try await tap(house, early, by: owner) == .replayed)
            #expect(try await tap(house, readBack, by: owner) == .used, "what was read back opens nothing")
            #expect(try await tap(house, rekeyed.touch(place(tag)), by: owner) == nil)
            #expect(house.doors.orders.count == 3)
            tag = try await house.hub.tags.one(tag.id, seenBy: owner)
            #expect(tag.counter == 3)
        }
    }

    @Test("Once they were read back the tag may get others again, made of another master, and other tags keep theirs")
    func again() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            let tag = try await sun(house, button, by: owner).tag
            var (other, untouched) = try await sun(house, button, uid: Self.other, by: owner)
            let first = try await house.hub.tags.rekey(tag.id, by: owner, origin: .house)
            var chip = SoftTag(uid: Self.uid, meta: first.new.meta, file: first.new.file)
            _ = try await house.hub.tags.finishRekeying(tag.id, readBack: chip.touch(place(tag)), by: owner, origin: .house)

            let second = try await house.hub.tags.rekey(tag.id, by: owner, origin: .house)

            #expect(second.old.meta.octets == first.new.meta.octets && second.old.file.octets == first.new.file.octets)
            #expect(second.new.meta.octets != first.new.meta.octets && second.new.file.octets != first.new.file.octets)
            #expect(try await tap(house, untouched.touch(place(other)), by: owner) == nil)
            other = try await house.hub.tags.one(other.id, seenBy: owner)
            #expect(other.counter == 1)
        }
    }

    @Test("Only a touch of this very chip, made with the new keys and under the tag's own link, is proof that it has them")
    func proof() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await button(house, owner)
            var (tag, chip) = try await sun(house, button, by: owner)
            let given = try await house.hub.tags.rekey(tag.id, by: owner, origin: .house)
            var rekeyed = SoftTag(uid: Self.uid, meta: given.new.meta, file: given.new.file)
            var stranger = SoftTag(uid: Self.other, meta: given.new.meta, file: given.new.file)
            var half = SoftTag(uid: Self.uid, meta: given.new.meta, file: given.old.file)
            let good = try rekeyed.touch(place(tag))
            func finishing(_ link: String) async throws -> String? {
                try await problem { _ = try await house.hub.tags.finishRekeying(tag.id, readBack: link, by: owner, origin: .house) }
            }

            for link in [
                place(tag), "", try chip.touch(place(tag)), try stranger.touch(place(tag)), try half.touch(place(tag)), try rekeyed.touch(),
                try rekeyed.touch(place(tag) + "0"), good + "&x=1", String(good.dropLast()) + (good.last == "0" ? "1" : "0"),
                place(tag) + "?cmac=00",
            ] {
                #expect(try await finishing(link) == "notReadBack", "\(link)")
            }
            #expect(try await tap(house, chip.touch(place(tag)), by: owner) == nil)
            #expect(try await finishing(good) == nil)
        }
    }

    @Test("What has no keys gets none: a tag that can be copied, one that is still to be written, and one that is gone")
    func keyless() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await button(house, owner)
        let plain = try await house.hub.tags.add(
            .init(pressing: .button(button.id), label: nil, nature: .memory), by: owner, call: nil, origin: .house
        ).tag
        let pending = try await sun(house, button, pending: .init(), by: owner).tag
        for (id, reason) in [(plain.id, "keyless"), (pending.id, "keyless"), ("tag_none", "notFound")] {
            #expect(try await problem { _ = try await house.hub.tags.rekey(id, by: owner, origin: .house) } == reason)
            #expect(
                try await problem { _ = try await house.hub.tags.finishRekeying(id, readBack: "x", by: owner, origin: .house) } == reason)
        }
    }

    @Test("Keys are shown to whoever has just proven to be who they are, and that is on record")
    func stepUp() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let tag = try await sun(house, button(house, owner), by: owner).tag
        house.clock.advance(by: 301)

        await #expect(throws: Sessions.Problem.self) { try await house.hub.tags.rekey(tag.id, by: owner, origin: .house) }
        _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
        _ = try await house.hub.tags.rekey(tag.id, by: owner, origin: .house)

        let told = try await house.hub.activity.entries(.init(), seenBy: owner).filter { $0.action == "tag.keys" }
        #expect(told.count == 2)
    }

    @Test("A house that was put back knows its count again once the tag has other keys")
    func putBack() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let tag = try await sun(house, button(house, owner), by: owner).tag
            try await house.store.write { try $0.execute(sql: "UPDATE tags SET unsynced_at = 1") }
            let given = try await house.hub.tags.rekey(tag.id, by: owner, origin: .house)
            var chip = SoftTag(uid: Self.uid, meta: given.new.meta, file: given.new.file)

            _ = try await house.hub.tags.finishRekeying(tag.id, readBack: chip.touch(place(tag)), by: owner, origin: .house)

            #expect(try await tap(house, chip.touch(place(tag)), by: owner) == nil)
        }
    }
}
