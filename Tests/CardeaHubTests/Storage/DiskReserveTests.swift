import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Disk reserve for the house's own commands", .timeLimit(.minutes(5)))
struct DiskReserveTests {
    /// A disk of 100 GiB, of which 256 MiB are reserved.
    private static func disk(free mebibytes: Int64) -> DiskSpace { DiskSpace(free: mebibytes << 20, size: 100 << 30) }

    /// Waits until the house, with running services, has checked its disk once more.
    private func checkDisk(_ house: TestHouse) async throws {
        let next = house.clock.now.addingTimeInterval(DiskMonitor.interval)
        try await waitUntil { house.clock.isAwaited(next) }
        house.clock.advance(by: DiskMonitor.interval)
        try await waitUntil { house.clock.isAwaited(next.addingTimeInterval(DiskMonitor.interval)) }
    }

    private func recordEvent(_ house: TestHouse, _ type: String, by who: Principal) async throws -> Event {
        let draft = Events.Draft(source: "porch", type: type, occurredAt: house.clock.now, picture: smallestJPEG)
        return try await house.hub.events.record(draft, by: who, call: nil, origin: .house).event
    }

    private func sighting(_ house: TestHouse, _ type: DetectionType) -> IntegrationEvent {
        var sighting = IntegrationEvent(source: "frigate", id: type.rawValue, type: type, at: house.clock.now, place: "yard")
        sighting.picture = smallestJPEG
        return sighting
    }

    private func strangerRecords(_ house: TestHouse) async throws -> Int {
        let nobody = RequestOrigin(remote: "203.0.113.9", isLocal: false, requestID: nil)
        await #expect(throws: GuestAccess.GuestAccessError.self) {
            try await house.hub.guestAccess.authenticate(SecretGenerator.token(.guestPass), origin: nobody)
        }
        return try await house.auditNotes().count { $0.kind == "stranger" }
    }

    /// The owner's notifications about the disk, oldest first.
    private func notices(_ house: TestHouse, _ owner: Principal) async throws -> [String] {
        try await house.hub.notices.page(of: owner).notices.filter { $0.kind == .unusual }.compactMap(\.fact.text).reversed()
    }

    @Test("Below the reserve, pictures, detections and backups stop, doors and rings continue, and the owner is notified once")
    func reached() async throws {
        try await withFolder { folder in
            let disk = AwaitableValue(Self.disk(free: 1000))
            let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker())
            let house = try await TestHouse.make(store: .inMemory(), events: settings, diskSpace: { disk.now })
            try await house.withRunningServices { house in
                let (owner, _) = try await house.claim()
                let porch = Cameras.Draft(name: "Porch", source: .init(kind: "rtsp", url: "rtsp://192.168.1.20/s"))
                let camera = try await house.hub.cameras.add(porch, by: owner, call: nil, origin: .house).0.camera.id
                func types() async throws -> [String] {
                    try await house.hub.events.page(.init(), seenBy: owner).events.map(\.type.rawValue)
                }
                #expect(try await strangerRecords(house) == 1)

                disk.change { $0 = Self.disk(free: 255) }
                try await checkDisk(house)
                #expect(house.hub.diskReserve.isLow)
                for type in DetectionType.smart {
                    await #expect {
                        try await recordEvent(house, type.rawValue, by: owner)
                    } throws: {
                        if case Events.EventError.noRoom = $0 { true } else { false }
                    }
                    try await house.hub.sourceEventRecorder.report(sighting(house, type))
                }
                await house.hub.cameras.report(
                    CameraEvent(cameraID: camera, kind: .motion, at: house.clock.now, zones: [], picture: smallestJPEG))
                #expect(try await types() == [])
                #expect(try await !recordEvent(house, "ring", by: owner).hasPicture)
                #expect(try await recordEvent(house, "smoke", by: owner).pictureProblem == .noRoom)
                try await house.hub.sourceEventRecorder.report(sighting(house, .ring))
                #expect(try await types() == ["ring", "smoke", "ring"])
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                #expect(try await strangerRecords(house) == 1)
                #expect(throws: DiskReserve.LowDiskSpaceError.self) { try house.hub.backups.requireRoom() }
                #expect(try await house.run(house.unlock(as: owner)).status == .confirmed)
                #expect(try await house.auditNotes().contains { $0.action == "unlock" })
                try await waitUntil { try await house.hub.notices.page(of: owner).notices.contains { $0.kind == .ring } }

                // A little more room, with no command waiting, is not enough and is not notified.
                house.clock.advance(by: 60)
                disk.change { $0 = Self.disk(free: 270) }
                try await checkDisk(house)
                #expect(house.hub.diskReserve.isLow)
                #expect(try await notices(house, owner).map { $0.contains("nearly full") } == [true])

                disk.change { $0 = Self.disk(free: 300) }
                try await checkDisk(house)
                try await waitUntil { try await notices(house, owner).count == 2 }
                #expect(try await notices(house, owner).last?.contains("space again") == true)
                #expect(try await recordEvent(house, "person", by: owner).hasPicture)
                #expect(try await strangerRecords(house) == 2)
                try house.hub.backups.requireRoom()
            }
        }
    }

    @Test("A restarted hub does not repeat disk notifications")
    func startedAnew() async throws {
        let (store, sealing, disk) = (try Store.inMemory(), SealingKey.random(), AwaitableValue(Self.disk(free: 10)))
        func told() async throws -> [String] {
            try await store.read { db in
                try String.fetchAll(db, sql: "SELECT subject FROM journal WHERE subject GLOB 'disk:*' ORDER BY seq")
            }.map { String($0.dropLast(13)) }
        }
        for _ in 0..<2 {
            let house = try await TestHouse.make(store: store, sealing: sealing, diskSpace: { disk.now })
            #expect(house.hub.diskReserve.isLow)
            for _ in 0..<2 { try await house.hub.diskMonitor.check() }
        }
        #expect(try await told() == ["disk:low:"])

        disk.change { $0 = Self.disk(free: 1000) }
        for _ in 0..<2 { try await TestHouse.make(store: store, sealing: sealing, diskSpace: { disk.now }).hub.diskMonitor.check() }
        #expect(try await told() == ["disk:low:", "disk:enough:"])
    }

    @Test("An unreadable disk keeps its last state, and an in-memory house has none")
    func unknown() async throws {
        let reserve = DiskReserve(Self.disk(free: 10))
        #expect(reserve.update(nil) && reserve.isLow)
        #expect(!reserve.update(Self.disk(free: 1000)))
        #expect(!DiskReserve(nil).isLow)
        #expect(DiskSpace(fileSystemOf: URL(filePath: "/nowhere/at/all")) == nil)
        let here = try #require(DiskSpace(fileSystemOf: FileManager.default.temporaryDirectory))
        #expect(here.free <= here.size && here.size > 0)
    }
}
