import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaSync

@Suite("Event thumbnails offline", .timeLimit(.minutes(5)))
struct ThumbnailCacheTests {
    private static let away = ClientError.noConnection(host: "localhost")

    @Test("A cached thumbnail is revalidated by its tag, and shown with its age offline")
    func tagged() async throws {
        try await withPictureHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let event = try await phone.recordEvent("person")
            let first = try await phone.replica.thumbnail(of: event)
            let asked = phone.transport.requests.count
            house.clock.advance(by: 60)

            let known = try await phone.replica.thumbnail(of: event)
            #expect(phone.transport.requests.count == asked, "it is good for a day")
            let again = try await phone.replica.thumbnail(of: event, atMost: 0)
            #expect(phone.transport.requests.count == asked + 1)
            phone.transport.setCondition(.unreachable)
            house.clock.advance(by: 3600)
            let old = try await phone.replica.thumbnail(of: event, atMost: 0)

            #expect(first.value.starts(with: smallestJPEG) && first.value.count > 10_000)
            #expect([known.value, again.value, old.value].allSatisfy { $0 == first.value })
            #expect(known.asOf == first.asOf && again.asOf == first.asOf.addingTimeInterval(60) && again.problem == nil)
            #expect(old.asOf == again.asOf && old.problem == Self.away)
            await #expect(throws: Self.away) { try await phone.replica.thumbnail(of: "event_never-looked-at") }
        }
    }

    @Test("The hub confirms a matching tag and sends the thumbnail for any other")
    func known() async throws {
        try await withPictureHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let event = try await phone.recordEvent("person")

            let picture = try #require(try await phone.client.events.thumbnail(of: event, unlessStill: nil))
            let same = try await phone.client.events.thumbnail(of: event, unlessStill: picture.tag)
            let other = try await phone.client.events.thumbnail(of: event, unlessStill: "\"another\"")

            #expect(picture.tag != nil && same == nil && other == picture)
            #expect(try await phone.client.events.thumbnail(of: event) == picture.jpeg)
        }
    }

    @Test("The least recently used thumbnail is evicted first")
    func bounded() async throws {
        try await withPictureHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            // Exactly three: a thumbnail's overhead is less than a fifth of it.
            let replica = try Replica(
                file: nil, sealing: .random(), client: phone.client, environment: TestPhone.environment(house.clock), picturesAtMost: 36_000
            )
            var events: [String] = []
            for _ in 0..<4 { events.append(try await phone.recordEvent("person")) }
            for event in events.prefix(3) { _ = try await replica.thumbnail(of: event) }
            _ = try await replica.thumbnail(of: events[0])
            _ = try await replica.thumbnail(of: events[3])

            phone.transport.setCondition(.unreachable)
            await #expect(throws: Self.away) { try await replica.thumbnail(of: events[1], atMost: 0) }
            for kept in [events[0], events[2], events[3]] { #expect(try await replica.thumbnail(of: kept, atMost: 0).problem == Self.away) }
            let bytes = try await replica.store.read { try Int.fetchOne($0, sql: "SELECT sum(length(sealed)) FROM pictures") }
            #expect(try #require(bytes) <= 36_000)
        }
    }

    @Test("With the cache turned off no thumbnail is kept")
    func none() async throws {
        try await withPictureHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let replica = try Replica(file: nil, sealing: .random(), client: phone.client, picturesAtMost: 0)
            let event = try await phone.recordEvent("person")

            #expect(try await replica.thumbnail(of: event).value.count > 10_000)

            phone.transport.setCondition(.unreachable)
            await #expect(throws: Self.away) { try await replica.thumbnail(of: event) }
        }
    }

    @Test("Thumbnails remain after a restart, and the file contains no readable image")
    func sealed() async throws {
        try await withPictureHouse { house, line in
            try await withFile { file in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                let event = try await phone.recordEvent("person", "Somebody with a parcel")
                let picture = try await phone.replica.thumbnail(of: event).value
                try await phone.replica.sync()
                try await phone.replica.close()

                let folder = file.deletingLastPathComponent()
                for name in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                    let bytes = try Data(contentsOf: name)
                    for secret in [smallestJPEG, Data(repeating: 2, count: 64), Data(event.utf8), Data("parcel".utf8)] {
                        #expect(bytes.range(of: secret) == nil, "\(name.lastPathComponent)")
                    }
                }
                phone.transport.setCondition(.unreachable)
                let again = try phone.restarted()
                #expect(try await again.replica.thumbnail(of: event, atMost: 0).value == picture)
            }
        }
    }

    @Test("An event deleted in the hub is deleted locally with its thumbnail and its list entries")
    func deleted() async throws {
        try await withPictureHouse { house, line in
            try await withFile { file in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                let (event, other) = (try await phone.recordEvent("person", "A burglar"), try await phone.recordEvent("animal", "A cat"))
                try await phone.replica.sync()
                for one in [event, other] {
                    _ = try await phone.replica.thumbnail(of: one)
                    _ = try await phone.replica.answer(.event(one))
                }
                _ = try await phone.replica.events(.init(words: "burglar"))

                try await phone.client.events.remove(event)
                try await phone.replica.sync()

                phone.transport.setCondition(.unreachable)
                await #expect(throws: Self.away) { try await phone.replica.thumbnail(of: event, atMost: 0) }
                await #expect(throws: Self.away) { try await phone.replica.answer(.event(event), atMost: 0) }
                #expect(try await phone.replica.events(.init()).value.events.map(\.id) == [other])
                #expect(try await phone.replica.events(.init(words: "burglar")).value.events.isEmpty)
                #expect(try await phone.replica.thumbnail(of: other, atMost: 0).problem == Self.away)
                #expect(try await phone.replica.answer(.event(other), atMost: 0).value.description == "A cat")
            }
        }
    }

    @Test("A thumbnail deleted in the hub is not shown")
    func takenBack() async throws {
        try await withPictureHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let event = try await phone.recordEvent("person")
            _ = try await phone.replica.thumbnail(of: event)
            try await phone.client.events.remove(event)

            await #expect(throws: ClientError.self) { try await phone.replica.thumbnail(of: event, atMost: 0) }

            phone.transport.setCondition(.unreachable)
            await #expect(throws: Self.away) { try await phone.replica.thumbnail(of: event) }
        }
    }

    @Test("Offline the latest events are filtered by camera, kind, time and text, and later fetched pages replace them")
    func latest() async throws {
        try await withPictureHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let van = try await phone.recordEvent("vehicle", "A red van", source: "gate")
            house.clock.advance(by: 60)
            let person = try await phone.recordEvent("person", "Somebody with two parcels")
            try await phone.replica.sync()
            let levelAt = house.clock.now
            house.clock.advance(by: 600)
            phone.transport.setCondition(.unreachable)

            let all = try await phone.replica.events(.init())
            #expect(all.value.events.map(\.id) == [person, van] && all.asOf == levelAt && all.problem == Self.away)
            for filter in [
                Events.Filter(cameraID: "gate"), .init(type: "Vehicle"), .init(to: levelAt.addingTimeInterval(-30)),
                .init(words: "RED vans"),
            ] {
                #expect(try await phone.replica.events(filter).value.events.map(\.id) == [van], "\(filter)")
            }
            #expect(try await phone.replica.events(.init(words: "parcel")).value.events.map(\.id) == [person])
            let first = try await phone.replica.events(.init(), limit: 1).value
            #expect(first.events.map(\.id) == [person] && first.hasMore && first.nextCursor == nil)
            await #expect(throws: Self.away) { try await phone.replica.events(.init(), cursor: "1") }

            phone.transport.setCondition(.clear)
            let cat = try await phone.recordEvent("animal", "A cat", source: "gate")
            _ = try await phone.replica.events(.init(cameraID: "gate"))
            phone.transport.setCondition(.unreachable)
            #expect(try await phone.replica.events(.init(cameraID: "gate"), atMost: 0).value.events.map(\.id) == [cat, van])
        }
    }

    @Test("Prefetching caches the cameras and the latest thumbnails")
    func readAhead() async throws {
        try await withPictureHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            var events: [String] = []
            for _ in 0..<14 { events.append(try await phone.recordEvent("person")) }
            try await phone.replica.sync()

            #expect(try await phone.replica.prefetch(for: .events) == 1 + Replica.itemLimit)

            phone.transport.setCondition(.unreachable)
            #expect(try await phone.replica.answer(.cameras, atMost: 0).value.cameras.isEmpty)
            for event in events.suffix(Replica.itemLimit) {
                #expect(try await phone.replica.thumbnail(of: event, atMost: 0).value.starts(with: smallestJPEG))
            }
        }
    }
}
