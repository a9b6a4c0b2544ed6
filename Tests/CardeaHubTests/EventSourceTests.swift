import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

@Suite("What others saw for the house", .timeLimit(.minutes(5)))
struct EventSourceTests {
    private func sighting(_ house: TestHouse, _ id: String, camera: String? = "porch", type: DetectionType = .person, ago: TimeInterval = 0)
        -> SourceSighting
    {
        var sighting = SourceSighting(
            source: "frigate", id: id, type: type, at: house.clock.now.addingTimeInterval(-ago), place: camera ?? "nowhere")
        sighting.camera = camera.map { SourceCamera(kind: .frigate, name: $0) }
        sighting.description = "Person in yard"
        return sighting
    }

    private func addCamera(_ house: TestHouse, by owner: Principal, isEnabled: Bool = true) async throws -> String {
        let source = Cameras.SourceDraft(kind: "frigate", url: "http://192.168.1.9:5000", name: "porch")
        return try await house.hub.cameras.add(
            .init(name: "Porch", isEnabled: isEnabled, source: source), by: owner, call: nil, origin: .house
        ).0.camera.id
    }

    @Test("One thing is one event, told again, in another run of the hub, and after it was deleted")
    func once() async throws {
        try await withFolder { folder in
            let settings = EventSettings(pictures: folder, maker: CopyingPictureMaker())
            let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
            let house = try await TestHouse.make(store: store, sealing: sealing, clock: clock, events: settings)
            let (owner, _) = try await house.claim()
            let camera = try await addCamera(house, by: owner)
            var first = sighting(house, "a")
            first.picture = smallestJPEG
            try await house.hub.eventSources.saw(first)
            first.picture = smallestJPEG + [0]
            try await house.hub.eventSources.saw(first)

            let again = try await TestHouse.make(store: store, sealing: sealing, clock: clock, events: settings)
            try await again.hub.eventSources.saw(first)
            let events = try await again.hub.events.page(.init(), seenBy: owner).events

            #expect(events.count == 1 && events.first?.cameraID == camera && events.first?.cameraName == "Porch")
            #expect(events.first?.hasPicture == true && events.first?.source == "frigate" && events.first?.description == "Person in yard")
            #expect(try await again.hub.cameras.one(camera, seenBy: owner).camera.lastEventAt != nil)
            try await again.hub.events.remove(try #require(events.first).id, by: owner, origin: .house)
            try await again.hub.eventSources.saw(first)
            clock.advance(by: 13 * 3600)
            try await again.hub.eventSources.saw(first)
            #expect(try await again.hub.events.page(.init(), seenBy: owner).events.isEmpty)
        }
    }

    @Test("A camera that the house does not know is called as its source calls it; one that is switched off sees nothing")
    func strangers() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await house.hub.eventSources.saw(sighting(house, "a", camera: "yard"))
        _ = try await addCamera(house, by: owner, isEnabled: false)
        try await house.hub.eventSources.saw(sighting(house, "b"))
        var atDoor = sighting(house, "c", camera: nil)
        atDoor.deviceID = "front-door"
        try await house.hub.eventSources.saw(atDoor)

        let events = try await house.hub.events.page(.init(), seenBy: owner).events

        #expect(Set(events.map(\.cameraName)) == ["frigate/yard", "Front door"])
        #expect(Set(events.map(\.place)) == ["frigate/yard", "front-door"])
    }

    @Test("While Frigate is away its cameras are out of reach, whatever is seen through them, and then as they were last seen")
    func away() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let id = try await addCamera(house, by: owner)
        func standing() async throws -> CameraStanding? { try await house.hub.cameras.one(id, seenBy: owner).standing }
        await house.hub.cameras.stands(id, CameraStanding(isOnline: true, since: house.clock.now))

        await house.hub.eventSources.stands(.frigate, isThere: false)
        #expect(try await standing()?.trouble == .sourceAway)
        await house.hub.cameras.stands(id, CameraStanding(isOnline: true, since: house.clock.now))
        #expect(try await standing()?.isOnline == false)

        await house.hub.eventSources.stands(.frigate, isThere: true)
        #expect(try await standing()?.isOnline == true)
    }

    @Test("Where no picture came along one is taken, once, and where there is none the event is there all the same")
    func pictures() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(pictures: folder, maker: CopyingPictureMaker()))
            let (owner, _) = try await house.claim()
            for (id, host) in [("a", "192.168.1.8"), ("a", "192.168.1.8"), ("b", "192.168.1.7")] {
                var ring = sighting(house, id, camera: nil)
                ring.view = CameraSource(
                    kind: .homeAssistant, address: try CameraAddress("http://\(host):8123", schemes: ["http"]), name: "camera.bell",
                    token: Secret("a-long-token"))
                house.cameras.set(host == "192.168.1.7" ? .unreachable : nil, at: host)
                try await house.hub.eventSources.saw(ring)
            }

            let events = try await house.hub.events.page(.init(), seenBy: owner).events

            // The scripted camera's picture ends before it begins.
            #expect(events.count == 2 && Set(events.map(\.pictureProblem)) == [.brokenOff, .notTaken])
            #expect(house.cameras.looks.map(\.source.target) == ["/api/camera_proxy/camera.bell", "/api/camera_proxy/camera.bell"])
        }
    }

    @Test(
        "Whoever rings is not kept waiting for a picture; what moved is waited for a little longer",
        arguments: [DetectionType.ring, .person])
    func patience(type: DetectionType) async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(pictures: folder, maker: CopyingPictureMaker()))
            let (owner, _) = try await house.claim()
            house.cameras.hang(at: "192.168.1.8")
            var told = sighting(house, "a", camera: nil, type: type)
            told.view = CameraSource(
                kind: .homeAssistant, address: try CameraAddress("http://192.168.1.8:8123", schemes: ["http"]), name: "camera.bell",
                token: Secret("a-long-token"))
            let end = house.clock.now.addingTimeInterval(type == .ring ? 2 : 10)

            async let kept: Void = house.hub.eventSources.saw(told)
            try await until { house.clock.isAwaited(end) }
            #expect(try await house.hub.events.page(.init(), seenBy: owner).events.isEmpty)
            house.clock.advance(by: end.timeIntervalSince(house.clock.now))
            try await kept

            #expect(try await house.hub.events.page(.init(), seenBy: owner).events.map(\.hasPicture) == [false])
        }
    }
}
