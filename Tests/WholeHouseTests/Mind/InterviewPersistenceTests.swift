import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@Suite("Interview persistence", .timeLimit(.minutes(10)))
struct InterviewPersistenceTests {
    /// An actuator that fails at one of the devices, like a hub that loses power there.
    private final class FailingActuator: InterviewActuator {
        private let base: any InterviewActuator
        private let left: Mutex<Int>
        private let isAfter: Bool
        struct PowerLossError: Error {}

        /// - Parameter isAfter: whether the device exists when the power is lost.
        init(_ actuator: any InterviewActuator, after devices: Int, isAfter: Bool) {
            self.base = actuator
            left = Mutex(devices)
            self.isAfter = isAfter
        }

        func nearbyDevices() async throws -> [DiscoveredDevice] { try await base.nearbyDevices() }
        func connectedIntegrations() async -> Set<String> { await base.connectedIntegrations() }
        func authorize(_ devices: [Interview.DeviceDraft]) async throws { try await base.authorize(devices) }

        func createDevice(_ device: Interview.DeviceDraft, key: String) async throws -> Interview.CreatedDevice {
            let isLast = left.withLock { left in
                left -= 1
                return left < 0
            }
            guard isLast else { return try await base.createDevice(device, key: key) }
            if isAfter { _ = try await base.createDevice(device, key: key) }
            throw PowerLossError()
        }
    }

    /// An actuator that is interrupted after its permission check.
    private struct InterruptedActuator: InterviewActuator {
        let actuator: any InterviewActuator
        let interruption: @Sendable () async throws -> Void

        func nearbyDevices() async throws -> [DiscoveredDevice] { try await actuator.nearbyDevices() }
        func connectedIntegrations() async -> Set<String> { await actuator.connectedIntegrations() }
        func authorize(_ devices: [Interview.DeviceDraft]) async throws {
            try await actuator.authorize(devices)
            try await interruption()
        }
        func createDevice(_ device: Interview.DeviceDraft, key: String) async throws -> Interview.CreatedDevice {
            try await actuator.createDevice(device, key: key)
        }
    }

    @Test("After a restart the interview continues up to the created devices")
    func restart() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let (owner, id, asked) = try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let (owner, _) = try await house.claim()
            let id = try await house.interview(of: owner)
            let (speaker, record) = try await house.speaker(owner)
            let answer = try await house.mind.interviews.message("Two Hue lamps.", to: id, by: speaker, record: record)
            return (owner, id, answer.text)
        }
        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let (speaker, record) = try await house.speaker(owner)
            let again = try await house.mind.interviews.start(id: "other", by: speaker, record: record)
            #expect(!again.isNew && again.answer.stored.interview.id == id && again.answer.text == asked)
            _ = try await house.mind.interviews.message("They are in the attic.", to: id, by: speaker, record: record)
            let made = try await house.mind.interviews.confirm(nil, of: id, by: speaker, record: record)
            #expect(made.createdDevices.map(\.name) == ["Hue lamp 1", "Hue lamp 2"], "\(made)")
            #expect(house.hub.devices.all.devices.filter(\.isPlanned).map(\.roomID) == ["attic", "attic"])
        }
    }

    @Test("An interrupted confirmation creates each device exactly once in the end", arguments: [0, 1, 2], [false, true])
    func cutOff(after devices: Int, isAfter: Bool) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let id = try await house.interview(of: owner)
            let (speaker, record) = try await house.speaker(owner)
            let interviews = house.mind.interviews
            _ = try await interviews.message("Three Hue lamps in the attic.", to: id, by: speaker, record: record)
            let failing = CardeaMind.Interviews.Participant(
                personID: speaker.personID, visibility: speaker.visibility,
                actuator: FailingActuator(speaker.actuator, after: devices, isAfter: isAfter))
            await #expect(throws: FailingActuator.PowerLossError.self) {
                try await interviews.confirm(nil, of: id, by: failing, record: record)
            }
            #expect(try await interviews.one(id, of: speaker.personID).interview.owed.count == 3)

            let answer = try await interviews.message("status", to: id, by: speaker, record: record)
            #expect(answer.createdDevices.count == 3 && answer.stored.interview.owed.isEmpty)
            let planned = house.hub.devices.all.devices.filter(\.isPlanned)
            #expect(planned.map(\.name) == ["Hue lamp 1", "Hue lamp 2", "Hue lamp 3"])
            #expect(answer.stored.interview.candidates.map(\.createdDeviceIDs) == [planned.map(\.id)])
            #expect(try await house.hub.rooms.all(seenBy: owner).map(\.name) == ["Attic"])
        }
    }

    // A conversation with a device that could not be created could once be neither paused nor ended.
    @Test("At the device limit what fits is created, and the interview can be ended or continued")
    func full() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            for number in 1..<500 {
                let shelf = PlannedDevices.Plan(name: "Shelf \(number)", kind: .light, deviceClass: .light)
                _ = try await house.hub.plannedDevices.add(shelf, by: owner, call: nil, origin: .house)
            }
            let id = try await house.interview(of: owner)
            let (speaker, record) = try await house.speaker(owner)
            let interviews = house.mind.interviews
            _ = try await interviews.message("Three Hue lamps in the attic.", to: id, by: speaker, record: record)
            let first = try await interviews.confirm(nil, of: id, by: speaker, record: record)
            #expect(
                first.createdDevices.map(\.name) == ["Hue lamp 1"]
                    && first.stored.interview.owed.map(\.name) == ["Hue lamp 2", "Hue lamp 3"])
            #expect(first.text.contains("Not yet taken in: “Hue lamp 2” and “Hue lamp 3”."), "\(first.text)")
            #expect(try await interviews.pause(id, by: speaker, record: record).interview.owed.count == 2)

            try await house.hub.devices.remove("planned-shelf-7", by: owner, origin: .house)
            let resumed = try await interviews.resume(id, by: speaker, record: record)
            #expect(resumed.createdDevices.map(\.name) == ["Hue lamp 2"], "\(resumed.text)")
            try await interviews.cancel(id, by: speaker, record: record)
            let ended = try await interviews.one(id, of: speaker.personID).interview
            #expect(ended.status == .cancelled && ended.owed.isEmpty && ended.candidates.map(\.createdDeviceIDs.count) == [2])
            try await house.hub.devices.remove("planned-shelf-8", by: owner, origin: .house)
            _ = try await interviews.start(id: "other", by: speaker, record: record)
            #expect(house.hub.devices.all.devices.filter { $0.name.hasPrefix("Hue lamp") }.count == 2)
        }
    }

    @Test("Losing the right during an interview is reported, and no device is created")
    func lostRight() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("ada", role: "admin", by: owner)
            guard case .person(let adminID, _) = admin else { return }
            let id = try await house.interview(of: admin)
            let (speaker, record) = try await house.speaker(admin)
            let interviews = house.mind.interviews
            _ = try await interviews.message("Two Hue lamps in the attic.", to: id, by: speaker, record: record)
            let losing = CardeaMind.Interviews.Participant(
                personID: speaker.personID, visibility: speaker.visibility,
                actuator: InterruptedActuator(actuator: speaker.actuator) {
                    _ = try await house.hub.people.change(
                        adminID, .init(name: nil, role: "member", canInviteGuests: nil, disabled: nil), by: owner, origin: .house)
                })
            let answer = try await interviews.confirm(nil, of: id, by: losing, record: record)
            #expect(
                answer.createdDevices.isEmpty && answer.text.contains("You may not change the house for it any more."), "\(answer.text)")
            #expect(answer.stored.interview.owed.count == 2 && answer.stored.interview.status == .active)
        }
    }

    @Test("Fifty interviews are kept per person, and the oldest finished one is dropped")
    func fifty() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("ada", role: "admin", by: owner)
            let hers = try await house.interview(of: admin)
            let (speaker, record) = try await house.speaker(owner)
            var ids: [String] = []
            for _ in 0..<(CardeaMind.Interviews.maximumPerPerson + 3) {
                house.clock.advance(by: 60)
                let id = try await house.interview(of: owner)
                ids.append(id)
                try await house.mind.interviews.cancel(id, by: speaker, record: record)
            }
            let kept = try await house.mind.interviews.all(of: speaker.personID).map(\.id)
            #expect(kept == ids.suffix(CardeaMind.Interviews.maximumPerPerson).reversed())
            #expect(try await house.mind.interviews.all(of: house.speaker(admin).speaker.personID).map(\.id) == [hers])
        }
    }

    @Test("Interviews of a removed person are deleted")
    func erased() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("ada", role: "admin", by: owner)
            let mine = try await house.interview(of: owner)
            _ = try await house.interview(of: admin)
            guard case .person(let id, _) = admin else { return }
            await house.mind.poll(isAsked: true)
            #expect(try await house.mind.interviews.all(of: id).count == 1)
            try await house.hub.people.remove(id, by: owner, origin: .house)
            await house.mind.poll(isAsked: true)
            #expect(try await house.mind.interviews.all(of: id).isEmpty)
            let (speaker, _) = try await house.speaker(owner)
            #expect(try await house.mind.interviews.all(of: speaker.personID).map(\.id) == [mine])
            try await house.mind.interviews.erase(person: speaker.personID)
            #expect(try await house.mind.interviews.all(of: speaker.personID).isEmpty)
        }
    }

    @Test("Interview changes are journaled without message text")
    func told() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let id = try await house.interview(of: owner)
            let (speaker, record) = try await house.speaker(owner)
            _ = try await house.mind.interviews.message("a lamp at Mum's bedside", to: id, by: speaker, record: record)
            try await house.mind.interviews.cancel(id, by: speaker, record: record)
            let rows = try await house.store.read { db in
                try Row.fetchAll(db, sql: "SELECT subject, data FROM journal WHERE kind = 'interview_changed' ORDER BY seq").map {
                    ($0[0] as String, $0[1] as String)
                }
            }
            #expect(rows.map(\.0) == [id, id, id])
            #expect(
                rows.last?.1.contains("cancelled") == true && rows.allSatisfy { $0.1.contains(speaker.personID) && !$0.1.contains("Mum") })
        }
    }
}
