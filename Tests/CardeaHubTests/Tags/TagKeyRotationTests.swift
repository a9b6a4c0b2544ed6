import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Tag key rotation", .timeLimit(.minutes(10)))
struct TagKeyRotationTests {
    /// The name of the error that a body throws; nil if it throws none.
    private func problem(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let problem as Tags.TagError { return String(describing: problem) }
    }

    @Test("A tag's old keys stay valid until the new ones are read back, then only the new keys are valid")
    func exchanged() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var (tag, chip) = try await house.sunTag(for: house.button(by: owner), by: owner)
            #expect(try await house.tap(chip.touch(tag.place), by: owner, isConfirmed: true) == nil)

            let given = try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house)
            let again = try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house)

            #expect(given.new.meta.octets == again.new.meta.octets && given.new.file.octets == again.new.file.octets)
            let keys = [given.old.meta, given.old.file, given.new.meta, given.new.file].map(\.octets)
            #expect(Set(keys).count == 4 && given.new.names == given.old.names && given.tag.id == tag.id)
            var rekeyed = SoftwareTag(uid: SoftwareTag.oneUID, meta: given.new.meta, file: given.new.file)
            let early = try rekeyed.touch(tag.place)
            house.clock.advance(by: 3)
            #expect(try await house.tap(early, by: owner, isConfirmed: true) == .unknown, "the new ones are not read back")
            #expect(try await house.tap(chip.touch(tag.place), by: owner, isConfirmed: true) == nil, "the old ones are still good")

            let readBack = try rekeyed.touch(tag.place)
            let written = try await house.hub.tags.finishKeyRotation(tag.id, readBack: readBack, by: owner, origin: .house)

            #expect(written.writtenAt == house.clock.now && written.counter == 2)
            let later = try await house.hub.tags.finishKeyRotation(tag.id, readBack: readBack, by: owner, origin: .house)
            #expect(later == written, "said twice, it is the same")
            house.clock.advance(by: 3)
            #expect(try await house.tap(chip.touch(tag.place), by: owner, isConfirmed: true) == .unknown)
            #expect(try await house.tap(early, by: owner, isConfirmed: true) == .replayed)
            #expect(try await house.tap(readBack, by: owner, isConfirmed: true) == .used, "what was read back opens nothing")
            #expect(try await house.tap(rekeyed.touch(tag.place), by: owner, isConfirmed: true) == nil)
            #expect(house.doorBackend.backendCommands.count == 3)
            tag = try await house.hub.tags.one(tag.id, seenBy: owner)
            #expect(tag.counter == 3)
        }
    }

    @Test("A tag can be rekeyed again with different keys, and other tags keep theirs")
    func again() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button(by: owner)
            let tag = try await house.sunTag(for: button, by: owner).tag
            var (other, untouched) = try await house.sunTag(for: button, uid: SoftwareTag.otherUID, by: owner)
            let first = try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house)
            var chip = SoftwareTag(uid: SoftwareTag.oneUID, meta: first.new.meta, file: first.new.file)
            _ = try await house.hub.tags.finishKeyRotation(tag.id, readBack: chip.touch(tag.place), by: owner, origin: .house)

            let second = try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house)

            #expect(second.old.meta.octets == first.new.meta.octets && second.old.file.octets == first.new.file.octets)
            #expect(second.new.meta.octets != first.new.meta.octets && second.new.file.octets != first.new.file.octets)
            #expect(try await house.tap(untouched.touch(other.place), by: owner, isConfirmed: true) == nil)
            other = try await house.hub.tags.one(other.id, seenBy: owner)
            #expect(other.counter == 1)
        }
    }

    @Test("Only a touch of the same chip with both new keys and the tag's own link completes a key rotation")
    func proof() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.button(by: owner)
            var (tag, chip) = try await house.sunTag(for: button, by: owner)
            let given = try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house)
            var rekeyed = SoftwareTag(uid: SoftwareTag.oneUID, meta: given.new.meta, file: given.new.file)
            var stranger = SoftwareTag(uid: SoftwareTag.otherUID, meta: given.new.meta, file: given.new.file)
            var half = SoftwareTag(uid: SoftwareTag.oneUID, meta: given.new.meta, file: given.old.file)
            let good = try rekeyed.touch(tag.place)
            func finishing(_ link: String) async throws -> String? {
                try await problem { _ = try await house.hub.tags.finishKeyRotation(tag.id, readBack: link, by: owner, origin: .house) }
            }

            for link in [
                tag.place, "", try chip.touch(tag.place), try stranger.touch(tag.place), try half.touch(tag.place), try rekeyed.touch(),
                try rekeyed.touch(tag.place + "0"), good + "&x=1", String(good.dropLast()) + (good.last == "0" ? "1" : "0"),
                tag.place + "?cmac=00",
            ] {
                #expect(try await finishing(link) == "notReadBack", "\(link)")
            }
            #expect(try await house.tap(chip.touch(tag.place), by: owner, isConfirmed: true) == nil)
            #expect(try await finishing(good) == nil)
        }
    }

    @Test("Tags without keys, pending tags and unknown tags cannot be rekeyed")
    func keyless() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let button = try await house.button(by: owner)
        let plain = try await house.hub.tags.add(
            .init(pressing: .button(button.id), label: nil, nature: .memory), by: owner, call: nil, origin: .house
        ).tag
        let pending = try await house.sunTag(for: button, pending: .init(), by: owner).tag
        for (id, reason) in [(plain.id, "keyless"), (pending.id, "keyless"), ("tag_none", "notFound")] {
            #expect(try await problem { _ = try await house.hub.tags.beginKeyRotation(id, by: owner, origin: .house) } == reason)
            #expect(
                try await problem { _ = try await house.hub.tags.finishKeyRotation(id, readBack: "x", by: owner, origin: .house) } == reason
            )
        }
    }

    @Test("Showing tag keys requires a recent step-up and is audited")
    func stepUp() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let tag = try await house.sunTag(for: house.button(by: owner), by: owner).tag
        house.clock.advance(by: 301)

        await #expect(throws: Sessions.SessionError.self) { try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house) }
        _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
        _ = try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house)

        let told = try await house.hub.activity.entries(.init(), seenBy: owner).filter { $0.action == "tag.keys" }
        #expect(told.count == 2)
    }

    @Test("A key rotation resynchronizes the counter of a tag after a restore")
    func putBack() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let tag = try await house.sunTag(for: house.button(by: owner), by: owner).tag
            try await house.store.write { try $0.execute(sql: "UPDATE tags SET unsynced_at = 1") }
            let given = try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house)
            var chip = SoftwareTag(uid: SoftwareTag.oneUID, meta: given.new.meta, file: given.new.file)

            _ = try await house.hub.tags.finishKeyRotation(tag.id, readBack: chip.touch(tag.place), by: owner, origin: .house)

            #expect(try await house.tap(chip.touch(tag.place), by: owner, isConfirmed: true) == nil)
        }
    }
}
