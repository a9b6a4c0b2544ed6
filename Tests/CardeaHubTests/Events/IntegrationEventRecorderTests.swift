import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

@Suite("Events from external sources", .timeLimit(.minutes(5)))
struct IntegrationEventRecorderTests {
    private func event(_ house: TestHouse, _ id: String, camera: String? = "porch", type: DetectionType = .person, ago: TimeInterval = 0)
        -> IntegrationEvent
    {
        var sighting = IntegrationEvent(
            source: "frigate", id: id, type: type, at: house.clock.now.addingTimeInterval(-ago), place: camera ?? "nowhere")
        sighting.camera = camera.map { IntegrationCamera(kind: .frigate, name: $0) }
        sighting.description = "Person in yard"
        return sighting
    }

    private func addCamera(_ house: TestHouse, by owner: Principal, isEnabled: Bool = true) async throws -> String {
        let source = Cameras.EndpointDraft(kind: "frigate", url: "http://192.168.1.9:5000", name: "porch")
        return try await house.hub.cameras.add(
            .init(name: "Porch", isEnabled: isEnabled, source: source), by: owner, call: nil, origin: .house
        ).0.camera.id
    }

    @Test("A source event is recorded once, across repeats, restarts and its deletion")
    func once() async throws {
        try await withFolder { folder in
            let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker())
            let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
            let house = try await TestHouse.make(store: store, sealing: sealing, clock: clock, events: settings)
            let (owner, _) = try await house.claim()
            let camera = try await addCamera(house, by: owner)
            var first = event(house, "a")
            first.picture = smallestJPEG
            try await house.hub.sourceEventRecorder.report(first)
            first.picture = smallestJPEG + [0]
            try await house.hub.sourceEventRecorder.report(first)

            let again = try await TestHouse.make(store: store, sealing: sealing, clock: clock, events: settings)
            try await again.hub.sourceEventRecorder.report(first)
            let events = try await again.hub.events.page(.init(), seenBy: owner).events

            #expect(events.count == 1 && events.first?.cameraID == camera && events.first?.cameraName == "Porch")
            #expect(events.first?.hasPicture == true && events.first?.source == "frigate" && events.first?.description == "Person in yard")
            #expect(try await again.hub.cameras.one(camera, seenBy: owner).camera.lastEventAt != nil)
            try await again.hub.events.remove(try #require(events.first).id, by: owner, origin: .house)
            try await again.hub.sourceEventRecorder.report(first)
            clock.advance(by: 13 * 3600)
            try await again.hub.sourceEventRecorder.report(first)
            #expect(try await again.hub.events.page(.init(), seenBy: owner).events.isEmpty)
        }
    }

    @Test("An unknown camera is shown by its source name; a disabled camera records no events")
    func strangers() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await house.hub.sourceEventRecorder.report(event(house, "a", camera: "yard"))
        _ = try await addCamera(house, by: owner, isEnabled: false)
        try await house.hub.sourceEventRecorder.report(event(house, "b"))
        var atDoor = event(house, "c", camera: nil)
        atDoor.deviceID = "front-door"
        try await house.hub.sourceEventRecorder.report(atDoor)

        let events = try await house.hub.events.page(.init(), seenBy: owner).events

        #expect(Set(events.map(\.cameraName)) == ["frigate/yard", "Front door"])
        #expect(Set(events.map(\.place)) == ["frigate/yard", "front-door"])
    }

    @Test("While Frigate is offline its cameras are offline; afterwards their last status returns")
    func away() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let id = try await addCamera(house, by: owner)
        func standing() async throws -> CameraStatus? { try await house.hub.cameras.one(id, seenBy: owner).status }
        await house.hub.cameras.reportStatus(id, CameraStatus(isOnline: true, since: house.clock.now))

        await house.hub.sourceEventRecorder.reportAvailability(.frigate, isThere: false)
        #expect(try await standing()?.error == .sourceOffline)
        await house.hub.cameras.reportStatus(id, CameraStatus(isOnline: true, since: house.clock.now))
        #expect(try await standing()?.isOnline == false)

        await house.hub.sourceEventRecorder.reportAvailability(.frigate, isThere: true)
        #expect(try await standing()?.isOnline == true)
    }

    @Test("A missing picture is fetched once, and the event is recorded even if the fetch fails")
    func pictures() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(pictures: folder, maker: PassthroughPictureMaker()))
            let (owner, _) = try await house.claim()
            for (id, host) in [("a", "192.168.1.8"), ("a", "192.168.1.8"), ("b", "192.168.1.7")] {
                var ring = event(house, id, camera: nil)
                ring.pictureEndpoint = CameraSource(
                    kind: .homeAssistant, address: try CameraAddress("http://\(host):8123", schemes: ["http"]), name: "camera.bell",
                    token: Secret("a-long-token"))
                house.cameras.set(host == "192.168.1.7" ? .unreachable : nil, at: host)
                try await house.hub.sourceEventRecorder.report(ring)
            }

            let events = try await house.hub.events.page(.init(), seenBy: owner).events

            // The scripted camera's picture ends before it begins.
            #expect(events.count == 2 && Set(events.map(\.pictureProblem)) == [.brokenOff, .notTaken])
            #expect(house.cameras.requests.map(\.source.target) == ["/api/camera_proxy/camera.bell", "/api/camera_proxy/camera.bell"])
        }
    }

    @Test(
        "A slow picture delays a ring by 2 and a person event by 10 seconds; the event is then stored without it",
        arguments: [DetectionType.ring, .person])
    func timeout(type: DetectionType) async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(pictures: folder, maker: PassthroughPictureMaker()))
            let (owner, _) = try await house.claim()
            house.cameras.blockForever(at: "192.168.1.8")
            var told = event(house, "a", camera: nil, type: type)
            told.pictureEndpoint = CameraSource(
                kind: .homeAssistant, address: try CameraAddress("http://192.168.1.8:8123", schemes: ["http"]), name: "camera.bell",
                token: Secret("a-long-token"))
            let end = house.clock.now.addingTimeInterval(type == .ring ? 2 : 10)

            async let kept: Void = house.hub.sourceEventRecorder.report(told)
            try await waitUntil { house.clock.isAwaited(end) }
            #expect(try await house.hub.events.page(.init(), seenBy: owner).events.isEmpty)
            house.clock.advance(by: end.timeIntervalSince(house.clock.now))
            try await kept

            #expect(try await house.hub.events.page(.init(), seenBy: owner).events.map(\.hasPicture) == [false])
        }
    }
}
