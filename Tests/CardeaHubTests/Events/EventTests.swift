import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Camera and doorbell events", .timeLimit(.minutes(5)))
struct EventTests {
    private func record(
        _ house: TestHouse, _ type: String = "person", source: String = "porch", ago: TimeInterval = 0, _ words: String? = nil,
        picture: Data? = nil
    ) -> Events.Draft {
        Events.Draft(source: source, type: type, description: words, occurredAt: house.clock.now.addingTimeInterval(-ago), picture: picture)
    }

    @Test("A camera detection is recorded under the camera's name, with a picture if it is usable")
    func seenByCamera() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(pictures: folder, maker: PassthroughPictureMaker()))
            let (owner, _) = try await house.claim()
            let porch = Cameras.Draft(name: "Porch", source: .init(kind: "rtsp", url: "rtsp://192.168.1.20/s"))
            let id = try await house.hub.cameras.add(porch, by: owner, call: nil, origin: .house).0.camera.id
            for (zones, picture) in [(["Path"], smallestJPEG), ([], smallestJPEG + [0xEE]), ([], nil)] as [([String], Data?)] {
                house.clock.advance(by: 600)
                await house.hub.cameras.report(
                    CameraEvent(cameraID: id, kind: .motion, at: house.clock.now, zones: zones, picture: picture))
            }

            let seen = try await house.hub.events.page(.init(place: id), seenBy: owner).events
            #expect(seen.map(\.hasPicture) == [false, false, true] && seen.map(\.description) == ["", "", "In Path"])
            #expect(seen.map(\.pictureProblem) == [nil, .unreadable, nil])
            #expect(seen.allSatisfy { $0.cameraName == "Porch" && $0.type == .motion })

            // A script's report counts as much, and an older one does not set the time back.
            house.clock.advance(by: 60)
            for ago in [0.0, 600] {
                let told = Events.Draft(
                    source: "script", cameraID: id, type: "person", occurredAt: house.clock.now.addingTimeInterval(-ago))
                _ = try await house.hub.events.record(told, by: owner, call: nil, origin: .house)
            }
            #expect(try await house.hub.cameras.one(id, seenBy: owner).camera.lastEventAt == house.clock.now)

            let stranger = Principal.integration("mqtt")
            await #expect(throws: (any Error).self) {
                try await house.hub.events.record(self.record(house), by: stranger, call: nil, origin: .house)
            }
        }
    }

    @Test("Event pages match a full scan by place, kind, time and words")
    func lists() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        house.clock.advance(by: 5 * 86_400)
        var all: [Event] = []
        let (places, types, words) = (["porch", "yard", "bell"], ["person", "animal", "ring"], ["a red van", "the cat", "a parcel"])
        var random = SeededGenerator.forTest(1)
        for number in 0..<400 {
            // Many share a moment, and they arrive in any order.
            let ago = Double(Int.random(in: 0..<200, using: &random)) * 1800
            let draft = record(house, types[number % 3], source: places[(number / 3) % 3], ago: ago, words[(number / 9) % 3])
            all.append(try await house.hub.events.record(draft, by: owner, call: nil, origin: .house).event)
        }
        all.sort { $0.key > $1.key }
        let now = house.clock.now
        for _ in 0..<150 {
            let place = Bool.random(using: &random) ? places.randomElement(using: &random) : nil
            let type = Bool.random(using: &random) ? types.randomElement(using: &random) : nil
            func past(_ most: Double) -> Date? {
                Bool.random(using: &random) ? now.addingTimeInterval(-Double.random(in: 0...most, using: &random).rounded()) : nil
            }
            let (from, to) = (past(400_000), past(200_000))
            let word = Int.random(in: 0..<4, using: &random) == 0 ? ["van", "CATS", "parcels"].randomElement(using: &random) : nil
            let fits = all.filter { event in
                (place.map { $0 == event.place } ?? true) && (type.map { $0 == event.type.rawValue } ?? true)
                    && (from.map { event.at >= $0 } ?? true) && (to.map { event.at <= $0 } ?? true)
                    && (word.map { event.description.contains($0.lowercased().prefix(3)) } ?? true)
            }
            let filter = Events.Filter(place: place, type: type, from: from, to: to, words: word.flatMap { Events.SearchTerms($0) })
            let (offset, limit) = (Int.random(in: 0...150, using: &random), Int.random(in: 1...40, using: &random))

            let page = try await house.hub.events.page(filter, offset: offset, limit: limit, seenBy: owner)
            var (walked, below) = ([Event](), Int64?.none)
            repeat {
                let part = try await house.hub.events.page(filter, below: below, limit: 60, seenBy: owner)
                (walked, below) = (walked + part.events, part.next)
            } while below != nil

            #expect(
                page.events.map(\.id) == fits.dropFirst(offset).prefix(limit).map(\.id),
                "\(filter) \(offset) \(limit), seed \(random.seed)")
            #expect(page.total == fits.count && page.hasMore == (fits.count > offset + limit), "\(filter), seed \(random.seed)")
            #expect(walked.map(\.id) == fits.map(\.id), "\(filter), seed \(random.seed)")
        }
    }

    @Test("New events do not shift the pages of a running cursor")
    func cursor() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        for _ in 0..<6 {
            _ = try await house.hub.events.record(record(house), by: owner, call: nil, origin: .house)
            house.clock.advance(by: 1)
        }
        let first = try await house.hub.events.page(.init(), limit: 3, seenBy: owner)

        _ = try await house.hub.events.record(record(house), by: owner, call: nil, origin: .house)
        let second = try await house.hub.events.page(.init(), below: first.next, limit: 3, seenBy: owner)

        #expect(Set((first.events + second.events).map(\.id)).count == 6 && !second.hasMore)
    }

    @Test("Related events form one incident, a ring joins the person before it, and an empty incident is removed")
    func incidents() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let events = house.hub.events
        let motion = try await events.record(record(house, "motion", ago: 300), by: owner, call: nil, origin: .house).event
        let person = try await events.record(record(house, ago: 100), by: owner, call: nil, origin: .house).event
        let ring = try await events.record(record(house, "ring", source: "bell", ago: 60), by: owner, call: nil, origin: .house).event
        let late = try await events.record(record(house, "motion", ago: 20), by: owner, call: nil, origin: .house).event

        let shown = try await events.incidents(before: nil, limit: 10, seenBy: owner)

        #expect(Set([person, ring, late].map(\.incidentID)).count == 1 && motion.incidentID != person.incidentID)
        #expect(shown.map(\.count) == [3, 1] && shown[0].types == ["motion", "person", "ring"] && shown[0].lastEventID == late.id)
        #expect(shown[0].incident.hasRing)
        let together = try await events.page(.init(incidentID: person.incidentID), seenBy: owner)
        #expect(together.events.map(\.id) == [late.id, ring.id, person.id] && together.total == 3)
        try await events.remove(motion.id, by: owner, origin: .house)
        #expect(try await events.incidents(before: nil, limit: 10, seenBy: owner).count == 1)
        let actions = try await house.hub.activity.entries(.init(), seenBy: owner).map(\.action)
        #expect(actions.contains("event.delete") && !actions.contains("event.record"))
    }

    @Test("Pictures stay within the storage limit, the oldest are deleted first, and their events are kept")
    func room() async throws {
        try await withFolder { folder in
            let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker(), pictureSpace: 7999)
            let house = try await TestHouse.make(store: .inMemory(), events: settings)
            let (owner, _) = try await house.claim()
            for _ in 0..<9 {
                _ = try await house.hub.events.record(record(house, picture: smallestJPEG), by: owner, call: nil, origin: .house)
                house.clock.advance(by: 1)
                let bytes = try await house.store.read { try EventRecords.pictureBytes($0) }
                #expect(bytes <= 7999)
            }

            let shown = try await house.hub.events.page(.init(), seenBy: owner).events

            #expect(shown.count == 9 && shown.map(\.hasPicture) == [true, true, true, true, false, false, false, false, false])
            #expect(try files(folder).count == 8)
            let picture = try await house.hub.events.picture(.thumbnail, of: shown[0].id, seenBy: owner)
            #expect(picture == smallestJPEG + Data(repeating: 2, count: 500))
            for file in try files(folder) {
                let sealed = try Data(contentsOf: file)
                #expect(sealed.range(of: smallestJPEG) == nil)
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
                #expect(mode?.intValue == 0o600)
            }
        }
    }

    @Test("An event with an unusable picture is stored without it and names the problem")
    func withoutPicture() async throws {
        try await withFolder { folder in
            let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker())
            let house = try await TestHouse.make(store: .inMemory(), events: settings)
            let (owner, _) = try await house.claim()
            var huge = smallestJPEG
            huge.replaceSubrange(7..<11, with: [0xFF, 0xFF, 0xFF, 0xFF])
            let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            for (picture, problem) in [
                (smallestJPEG, nil), (smallestJPEG.dropLast(2), nil), (png, .notJPEG), (huge, .tooLarge),
                (smallestJPEG.prefix(9), .brokenOff),
                (smallestJPEG + [0xEE], .unreadable), (Data(), .empty),
            ] as [(Data, PictureError?)] {
                let event = try await house.hub.events.record(
                    record(house, "ring", picture: Data(picture)), by: owner, call: nil, origin: .house
                ).event
                #expect(event.pictureProblem == problem && event.hasPicture == (problem == nil))
                #expect(try await house.hub.events.one(event.id, seenBy: owner) == event)
            }
            #expect(try files(folder).count == 4)
            let bare = try await TestHouse.make(store: .inMemory())
            let (other, _) = try await bare.claim()
            let event = try await bare.hub.events.record(record(bare, picture: smallestJPEG), by: other, call: nil, origin: .house).event
            #expect(event.pictureProblem == .switchedOff)
        }
    }

    @Test("A picture without an event is deleted at start, and an event whose file is missing shows no picture")
    func orphans() async throws {
        try await withFolder { folder in
            let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
            let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker())
            let house = try await TestHouse.make(store: store, sealing: sealing, clock: clock, events: settings)
            let (owner, _) = try await house.claim()
            let kept = try await house.hub.events.record(record(house, picture: smallestJPEG), by: owner, call: nil, origin: .house).event
            let lost = try await house.hub.events.record(record(house, picture: smallestJPEG), by: owner, call: nil, origin: .house).event
            let mine = try #require(try files(folder).first { $0.lastPathComponent.hasPrefix(kept.id) })
            try Data("half a picture".utf8).write(to: mine.deletingLastPathComponent().appending(path: "event_00.thumbnail"))
            try Data("a draft".utf8).write(to: mine.appendingPathExtension("ABC"))
            for file in try files(folder) where file.lastPathComponent.hasPrefix(lost.id) { try FileManager.default.removeItem(at: file) }

            let again = try await TestHouse.make(store: store, sealing: sealing, clock: clock, events: settings)

            #expect(try files(folder).map(\.lastPathComponent).sorted() == ["\(kept.id).thumbnail", "\(kept.id).whole"])
            let shown = try await again.hub.events.page(.init(), seenBy: owner).events
            #expect(Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0.hasPicture) }) == [kept.id: true, lost.id: false])
            await #expect(throws: Events.EventError.self) { try await again.hub.events.picture(.whole, of: lost.id, seenBy: owner) }
        }
    }

    @Test("Events, search words and pictures are deleted at the end of their retention")
    func forgetting() async throws {
        try await withFolder { folder in
            let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker())
            let house = try await TestHouse.make(store: .inMemory(), events: settings)
            let (owner, _) = try await house.claim()
            let old = try await house.hub.events.record(
                record(house, "package", "a parcel", picture: smallestJPEG), by: owner, call: nil, origin: .house
            ).event
            house.clock.advance(by: 89 * 86_400)
            try await house.hub.clock.trust(at: house.clock.now)
            try await house.hub.events.sweep(at: house.clock.now)
            #expect(try await house.hub.events.one(old.id, seenBy: owner).hasPicture)
            let new = try await house.hub.events.record(record(house, "package", "a parcel"), by: owner, call: nil, origin: .house).event

            house.clock.advance(by: 2 * 86_400)
            try await house.hub.clock.trust(at: house.clock.now)
            try await house.hub.events.sweep(at: house.clock.now)

            let parcel = try #require(Events.SearchTerms("parcel"))
            let left = try await house.hub.events.page(.init(words: parcel), seenBy: owner)
            #expect(left.events.map(\.id) == [new.id] && left.total == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            let (days, incidents) = try await house.store.read { db in
                (
                    try Int.fetchOne(db, sql: "SELECT sum(events) FROM event_days"),
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM incidents")
                )
            }
            #expect(days == 1 && incidents == 1)
        }
    }

    private func files(_ folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
    }
}
