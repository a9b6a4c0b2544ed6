import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CardeaHub

@Suite("Door availability notifications")
struct DoorAvailabilityTrackerTests {
    private static let start = Date(timeIntervalSince1970: 1_795_269_600)

    private func door(
        _ id: String, _ integration: String = "mqtt", isKnown: Bool, isOffline: Bool = false, reported: String? = "locked"
    ) -> DoorAvailabilityTracker.Door {
        DoorAvailabilityTracker.Door(
            entityID: "lock.\(id)", deviceID: id, integration: integration, name: id.capitalized, isKnown: isKnown, isOffline: isOffline,
            state: isKnown ? "locked" : "unknown",
            last: isKnown ? nil : reported.map { LastReport(EntityState($0), at: Self.start.addingTimeInterval(-3600)) })
    }

    private func after(_ seconds: TimeInterval) -> Date { Self.start.addingTimeInterval(seconds) }

    private func words(_ news: [DoorAvailabilityTracker.Change]) -> [String] { news.map { $0.text(now: Self.start, in: .gmt) } }

    @Test("Doors behind one lost connection are reported once after a minute, naming three of them")
    func connection() {
        var doors = DoorAvailabilityTracker()
        let names = ["front", "back", "garage", "gate", "cellar"]
        let (lost, found) = (names.map { door($0, isKnown: false) }, names.map { door($0, isKnown: true) })
        #expect(doors.update(at: found, down: [], now: after(0)) == [])
        #expect(doors.update(at: lost, down: ["mqtt"], now: after(10)) == [])
        #expect(doors.update(at: lost, down: ["mqtt"], now: after(69)) == [])
        #expect(
            words(doors.update(at: lost, down: ["mqtt"], now: after(70))) == [
                """
                Front, Back, Garage and 2 more have an unknown state: the MQTT broker does not respond. Front last reported locked at 13:00, Back \
                locked at 13:00, Garage locked at 13:00.
                """
            ])
        for seconds in [75, 200, 90_000] { #expect(doors.update(at: lost, down: ["mqtt"], now: after(Double(seconds))) == []) }
        #expect(words(doors.update(at: found, down: [], now: after(90_010))) == ["Front, Back, Garage and 2 more report again."])
        #expect(doors.update(at: found, down: [], now: after(90_020)) == [])
    }

    @Test("Doors back within a minute are not reported as lost or found")
    func backInTime() {
        var doors = DoorAvailabilityTracker()
        #expect(doors.update(at: [door("front", isKnown: false)], down: ["mqtt"], now: after(0)) == [])
        #expect(doors.update(at: [door("front", isKnown: true)], down: [], now: after(59)) == [])
        #expect(doors.update(at: [door("front", isKnown: false)], down: ["mqtt"], now: after(65)) == [])
        #expect(doors.update(at: [door("front", isKnown: true)], down: [], now: after(124)) == [])
        #expect(doors.update(at: [door("front", isKnown: true)], down: [], now: after(1000)) == [])
    }

    @Test("A connection loss detected after its doors are lost is reported as one loss")
    func seenLater() {
        var doors = DoorAvailabilityTracker()
        let lost = ["front", "back"].map { door($0, isKnown: false) }
        #expect(doors.update(at: lost, down: [], now: after(0)) == [])
        let news = doors.update(at: lost, down: ["mqtt"], now: after(60))
        #expect(news.map(\.isOfConnection) == [true] && news.first?.lost == [.connection("mqtt")])
    }

    @Test("A door that stays lost after reconnecting is named, not reported again, and reported when it is back")
    func straggler() {
        var doors = DoorAvailabilityTracker()
        let lost = ["front", "garage"].map { door($0, isKnown: false) }
        _ = doors.update(at: lost, down: ["mqtt"], now: after(0))
        #expect(doors.update(at: lost, down: ["mqtt"], now: after(60)).count == 1)
        let partly = [door("front", isKnown: true), door("garage", isKnown: false)]
        #expect(doors.update(at: partly, down: [], now: after(100)) == [])
        #expect(doors.update(at: partly, down: [], now: after(159)) == [])
        let news = doors.update(at: partly, down: [], now: after(160))
        #expect(words(news) == ["Front reports again: locked. Garage still has an unknown state."])
        #expect(news.first?.found == [.connection("mqtt")] && news.first?.lost == [.device("garage")])
        #expect(doors.update(at: partly, down: [], now: after(1000)) == [])
        // The next outage is a separate one.
        _ = doors.update(at: lost, down: ["mqtt"], now: after(2000))
        #expect(doors.update(at: lost, down: ["mqtt"], now: after(2060)).first?.doors.map(\.name) == ["Front"])
        #expect(
            words(doors.update(at: lost.map { door($0.deviceID, isKnown: true) }, down: [], now: after(2070))) == [
                "Front reports again: locked.", "Garage reports again: locked.",
            ])
    }

    @Test("A reconnected integration whose doors do not report is reported, and its doors when they are back")
    func backWithoutDoors() {
        var doors = DoorAvailabilityTracker()
        let lost = ["front", "back"].map { door($0, isKnown: false) }
        for seconds in [0, 60] { _ = doors.update(at: lost, down: ["mqtt"], now: after(Double(seconds))) }
        #expect(doors.update(at: lost, down: [], now: after(100)) == [])
        let news = doors.update(at: lost, down: [], now: after(160))
        #expect(words(news) == ["The MQTT broker responds again. Front and Back still have an unknown state."])
        #expect(news.first?.found == [.connection("mqtt")] && news.first?.lost == [.device("back"), .device("front")])
        #expect(doors.connections == [] && doors.update(at: lost, down: [], now: after(1000)) == [])
        // So another run knows the two lost doors, and not a third one behind the same connection.
        var restarted = DoorAvailabilityTracker(notified: Set(news.flatMap(\.lost)))
        let third = door("gate", isKnown: true)
        _ = restarted.update(at: lost + [third], down: [], now: after(1100))
        let found = ["front", "back"].map { door($0, isKnown: true) }
        #expect(words(restarted.update(at: found + [third], down: [], now: after(1110))) == ["Front and Back report again."])
    }

    @Test("An offline device and doors silent since the start are reported with their own texts")
    func devices() {
        var doors = DoorAvailabilityTracker()
        let away = [door("front", isKnown: false, isOffline: true, reported: "unlocked")]
        _ = doors.update(at: away, down: [], now: after(0))
        #expect(
            words(doors.update(at: away, down: [], now: after(60))) == [
                "Front has an unknown state: it does not respond. It last reported unlocked at 13:00."
            ])
        var started = DoorAvailabilityTracker()
        let silent = ["front", "back"].map { door($0, isKnown: false) } + [door("gate", "home-assistant", isKnown: false, reported: nil)]
        _ = started.update(at: silent, down: ["home-assistant"], now: after(0))
        #expect(
            words(started.update(at: silent, down: ["home-assistant"], now: after(60))) == [
                "Gate has an unknown state: Home Assistant does not respond.",
                "Front and Back have an unknown state: they have not reported again. Front last reported locked at 13:00, Back locked at 13:00.",
            ])
    }

    @Test("A restarted hub does not repeat loss notifications, and reports doors that are back")
    func restarted() {
        for cause in [DoorAvailabilityTracker.Cause.connection("mqtt"), .device("front")] {
            #expect(DoorAvailabilityTracker.Cause(named: cause.name) == cause)
            var doors = DoorAvailabilityTracker(notified: [cause])
            for seconds in [0, 60, 120] {
                #expect(doors.update(at: [door("front", isKnown: false)], down: ["mqtt"], now: after(Double(seconds))) == [])
            }
            #expect(words(doors.update(at: [door("front", isKnown: true)], down: [], now: after(130))) == ["Front reports again: locked."])
        }
        // Removed from the house meanwhile.
        var gone = DoorAvailabilityTracker(notified: [.device("front")])
        #expect(gone.update(at: [], down: [], now: after(0)) == [] && gone.connections == [])
        #expect(DoorAvailabilityTracker.Cause(named: "else:x") == nil && DoorAvailabilityTracker.Cause(named: "device") == nil)
    }

    @Test("Buttons, relays, child locks and planned devices do not count as doors")
    func doors() {
        func device(_ entities: [Entity], integration: String = "mqtt") -> Device {
            Device(
                id: "d", name: "Hall", deviceClass: .security, integration: integration, status: .online, stateChangedAt: Self.start,
                entities: entities)
        }
        var relay = Entity(id: "switch.gate", kind: .switch, name: "Gate", verbs: [.on], state: EntityState())
        relay.opensWayIn = true
        let lock = Entity(id: "lock.hall", kind: .lock, name: "Bolt", verbs: [.lock], state: EntityState())
        let child = Entity(id: "lock.child", kind: .lock, name: "Child lock", category: .config, verbs: [.lock], state: EntityState())
        var assumed = lock
        assumed.isAssumed = true

        #expect(DoorAvailabilityTracker.Door.all(in: [device([relay]), device([lock], integration: Device.planned)]) == [])
        #expect(DoorAvailabilityTracker.Door.all(in: [device([lock, child, relay])]).map(\.name) == ["Hall"])
        // Never reported, and assumed: nothing was lost.
        #expect(DoorAvailabilityTracker.Door.all(in: [device([lock]), device([assumed])]).map(\.isKnown) == [true, true])
        var lost = device([assumed])
        lost.status = .unknown
        #expect(DoorAvailabilityTracker.Door.all(in: [lost]).map(\.isKnown) == [false])
    }
}

/// An integration whose connection comes and goes.
private final class DisconnectableBackend: DeviceBackend {
    let integration = "mqtt"
    private let stands = Mutex(true)

    func setConnected(_ stands: Bool) { self.stands.withLock { $0 = stands } }
    func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "unreachable") }
    func refresh(entityID: String) async {}

    func health() async -> IntegrationHealth {
        IntegrationHealth(status: stands.withLock { $0 } ? .connected : .failed, since: Date(timeIntervalSince1970: 1_795_269_600))
    }
}

@Suite("Door availability notifications to the household", .timeLimit(.minutes(5)))
struct DoorAvailabilityMonitorTests {
    @Test("Residents are notified once about unavailable doors, across a hub restart")
    func told() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let ids = ["side-door", "garden-door"]
        func look(_ house: TestHouse) async throws {
            try await house.hub.doorAvailabilityMonitor.check()
            _ = try await NotificationPlanner(store: store, environment: house.hub.environment).processJournal()
        }
        func words(_ house: TestHouse, _ who: Principal) async throws -> [String?] {
            try await house.hub.notices.page(of: who).notices.reversed().map(\.fact.text)
        }

        let house = try await TestHouse.make(store: store, sealing: sealing, clock: clock, doorCount: 0)
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let broker = DisconnectableBackend()
        house.hub.integrations.add(broker)
        for id in ids {
            try await house.hub.devices.announce(
                Device(
                    id: id, name: id == "side-door" ? "Side door" : "Garden door", deviceClass: .security, integration: "mqtt",
                    status: .online, stateChangedAt: clock.now,
                    entities: [Entity(id: "lock.\(id)", kind: .lock, name: id, verbs: [.lock, .unlock])]))
        }
        try await house.hub.devices.reportAvailability(.online, deviceIDs: ids)
        try await house.hub.devices.report(ids.map { EntityReport(entityID: "lock.\($0)", state: EntityState("unlocked")) })
        try await look(house)

        broker.setConnected(false)
        try await house.hub.devices.reportAvailability(.unknown, deviceIDs: ids)
        try await look(house)
        clock.advance(by: 59)
        try await look(house)
        #expect(try await words(house, owner) == [])
        clock.advance(by: 1)
        for _ in 0..<2 { try await look(house) }
        let lost = """
            Side door and Garden door have an unknown state: the MQTT broker does not respond. Side door last reported unlocked at 15:00, Garden \
            door unlocked at 15:00.
            """
        for who in [owner, member] { #expect(try await words(house, who) == [lost]) }
        #expect(try await house.hub.notices.page(of: owner).notices.first?.kind == .unusual)

        // The hub restarts while the broker is still away.
        let again = try await TestHouse.make(store: store, sealing: sealing, clock: clock, doorCount: 0)
        let other = DisconnectableBackend()
        other.setConnected(false)
        again.hub.integrations.add(other)
        try await again.hub.devices.reportAvailability(.unknown, deviceIDs: ids)
        for _ in 0..<3 {
            try await look(again)
            clock.advance(by: 60)
        }
        #expect(try await words(again, owner) == [lost])

        other.setConnected(true)
        try await again.hub.devices.reportAvailability(.online, deviceIDs: ids)
        try await again.hub.devices.report(ids.map { EntityReport(entityID: "lock.\($0)", state: EntityState("locked")) })
        for _ in 0..<2 { try await look(again) }
        #expect(try await words(again, owner) == [lost, "Side door and Garden door report again."])
    }
}
