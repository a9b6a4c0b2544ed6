import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaSync
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Replica offline", .timeLimit(.minutes(10)))
struct OfflineSyncTests {
    private let light = DeviceCommand("hall-light", "on")

    // MARK: Reading

    @Test("Devices seen before are available offline with their age")
    func looking() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            #expect(try await phone.replica.devices().asOf == nil)
            let report = try await phone.replica.sync()
            #expect(report.stopped == nil && report.isFullSync)
            let seen = house.clock.now
            phone.transport.setCondition(.unreachable)
            house.clock.advance(by: 300)
            let devices = try await phone.replica.devices()
            #expect(devices.asOf == seen)
            #expect(devices.value.map(\.deviceID) == ["front-door", "back-door", "hall-light", "hall-sensor"])
            #expect(try await phone.replica.house().value?.name == "Lime House")
            let later = try await phone.replica.sync()
            #expect(later.stopped == .noConnection(host: "localhost") && later.levelAt == seen)
        }
    }

    @Test("After reconnection only changes are fetched, and deletions are applied")
    func catchingUp() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            try await house.hub.devices.withdraw(deviceID: "hall-sensor", integration: "scripted")
            let before = phone.transport.requests.count
            let report = try await phone.replica.sync()
            #expect(report.changes == 2 && !report.isFullSync)
            #expect(phone.transport.requests.count == before + 1, "one page of changes, and nothing else")
            let devices = try await phone.replica.devices().value
            #expect(devices.first { $0.deviceID == "front-door" }?.entities.first?.state == "unlocked")
            #expect(!devices.contains { $0.deviceID == "hall-sensor" })
        }
    }

    @Test("If the journal no longer reaches back, everything is fetched again")
    func tooLongAway() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            for _ in 0..<3 { for word in ["unlocked", "locked"] { try await house.doorBackend.report(word, at: "lock.back_door") } }
            try await house.store.write { db in
                try db.execute(sql: "DELETE FROM journal WHERE seq < (SELECT max(seq) FROM journal)")
            }
            #expect(try await phone.replica.sync().isFullSync)
            #expect(try await phone.replica.devices().value.count == 4)
            #expect(try await !phone.replica.sync().isFullSync)
        }
    }

    @Test("A new pass and an approval request are present after the next sync")
    func otherThings() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            #expect(try await phone.replica.guests().value.isEmpty)
            _ = try await phone.client.guests.invite(
                InviteGuestBody(
                    name: "Plumber", grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
                    expiresAt: house.clock.now.addingTimeInterval(4 * 3600), maxUses: 0))
            _ = try await phone.replica.control(DeviceCommand("back-door", "unlock"))
            try await phone.replica.sync()
            #expect(try await phone.replica.guests().value.map(\.name) == ["Plumber"])
            #expect(try await phone.replica.activity().value.contains { $0.deviceID == "back-door" && $0.result == "confirmed" })
        }
    }

    // MARK: Requests

    @Test("A light command issued offline is queued and executed once after reconnection")
    func queued() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            guard case .queued(let entry) = try await phone.replica.control(light) else {
                Issue.record("it was not queued")
                return
            }
            #expect(entry.status == .waiting && entry.notAfter == house.clock.now.addingTimeInterval(15 * 60))
            #expect(try await phone.replica.sync().waiting == 1)
            #expect(house.doorBackend.backendCommands.isEmpty)
            phone.transport.setCondition(.clear)
            let report = try await phone.replica.sync()
            #expect(report.sent == 1 && report.waiting == 0)
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.on])
            #expect(try await phone.replica.sync().sent == 0)
            #expect(try await phone.replica.devices().value.first { $0.deviceID == "hall-light" }?.entities.first?.state == "on")
        }
    }

    @Test("A door command and a command of an unknown device are never queued")
    func doors() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            for action in ["unlock", "lock"] {
                await #expect(throws: OfflineQueueError.door("Front door")) {
                    try await phone.replica.control(DeviceCommand("front-door", action))
                }
            }
            await #expect(throws: OfflineQueueError.unknownDevice("attic-light")) {
                try await phone.replica.control(DeviceCommand("attic-light", "on"))
            }
            await #expect(throws: OfflineQueueError.unsupported(.open, device: "Hall light")) {
                try await phone.replica.control(DeviceCommand("hall-light", "open"))
            }
            #expect(try await phone.replica.outboxEntries().isEmpty)
        }
    }

    @Test("A command past its age limit is not sent, and its failure is reported")
    func expired() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(light)
            house.clock.advance(by: 15 * 60)
            phone.transport.setCondition(.clear)
            let report = try await phone.replica.sync()
            #expect(report.sent == 0 && report.ended == 1 && house.doorBackend.backendCommands.isEmpty)
            let entry = try #require(try await phone.replica.outboxEntries().first)
            #expect(entry.status == .ended(OutboxOutcome(.expired, "The house could not be reached in time. Nothing was sent.")))
            #expect(try await phone.replica.discard(entry.id))
            #expect(try await phone.replica.outboxEntries().isEmpty)
        }
    }

    @Test("Commands for one device are sent in order under any failure")
    func order() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            for action in ["on", "off", "on", "off"] { _ = try await phone.replica.control(DeviceCommand("hall-light", action)) }
            phone.transport.setCondition(.dropsResponses, only: [.put])
            #expect(try await phone.replica.sync().waiting == 4)
            phone.transport.setCondition(.clear)
            // Made while others wait, it waits behind them, and they go first.
            guard case .completed = try await phone.replica.control(DeviceCommand("hall-light", "on")) else {
                Issue.record("the queue was not emptied first")
                return
            }
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.on, .off, .on, .off, .on])
        }
    }

    @Test("A command sent before a crash is repeated, and the light is switched once")
    func killed() async throws {
        try await withFile { file in
            try await withHouse { house, line in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                try await phone.replica.sync()
                phone.transport.setCondition(.unreachable)
                _ = try await phone.replica.control(light)
                phone.transport.setCondition(.dropsResponses, only: [.put])
                #expect(try await phone.replica.sync().waiting == 1)
                #expect(house.doorBackend.backendCommands.count == 1)
                let again = try phone.restarted()
                #expect(try await again.replica.outboxEntries().map(\.status) == [.sent])
                #expect(try await !again.replica.discard(light.key), "what may have been heard cannot be taken back")
                phone.transport.setCondition(.clear)
                #expect(try await again.replica.sync().sent == 1)
                #expect(house.doorBackend.backendCommands.count == 1)
            }
        }
    }

    @Test("A command that may have arrived and is too old to repeat has an unknown outcome")
    func lateAnswer() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(light)
            phone.transport.setCondition(.dropsResponses, only: [.put])
            try await phone.replica.sync()
            house.clock.advance(by: 3600)
            phone.transport.setCondition(.clear)
            let report = try await phone.replica.sync()
            #expect(report.ended == 1 && house.doorBackend.backendCommands.count == 1)
            guard case .ended(let ending)? = try await phone.replica.outboxEntries().first?.status else {
                Issue.record("it waits still")
                return
            }
            #expect(ending.kind == .unknown)
        }
    }

    @Test("After three temporary failures a command needs review, and later ones continue")
    func threeTries() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(light)
            _ = try await phone.replica.control(DeviceCommand("hall-light", "off"))
            phone.transport.setCondition(.busy, only: [.put])
            for tries in 1...2 {
                let report = try await phone.replica.sync()
                #expect(report.waiting == 2 && report.ended == 0)
                #expect(try await phone.replica.outboxEntries().map(\.tries) == [tries, 0])
            }
            #expect(try await phone.replica.sync().ended == 1)
            phone.transport.setCondition(.clear)
            #expect(try await phone.replica.sync().sent == 1)
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.off])
        }
    }

    // A proxy that started before its hub once ended every queued command after three of its own errors.
    @Test("A proxy error for an unreachable hub does not count as an attempt", arguments: [502, 503, 504])
    func proxy(status: Int) async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(light)
            let room = try await phone.replica.edit(
                .init(change: .device("hall-sensor", ChangeDeviceBody(name: "Thermometer")), seen: 1, name: "Hall temperature"))
            phone.transport.setCondition(.gatewayError(status: status), only: [.put, .patch])
            for _ in 1...5 {
                let report = try await phone.replica.sync()
                #expect(report.waiting == 2 && report.ended == 0 && report.stopped != nil)
            }
            #expect(try await phone.replica.outboxEntries().map(\.tries) == [0, 0])
            // The house may have received the first one.
            #expect(try await phone.replica.outboxEntries().map(\.status) == [.sent, .waiting])
            phone.transport.setCondition(.clear)
            #expect(try await phone.replica.sync().sent == 2)
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.on])
            #expect(try await phone.replica.outboxEntries().allSatisfy { $0.id != room.id })
        }
    }

    @Test("A refused command ends with the hub's reason and is not repeated")
    func refused() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(light)
            try await house.hub.devices.withdraw(deviceID: "hall-light", integration: "scripted")
            phone.transport.setCondition(.clear)
            #expect(try await phone.replica.sync().ended == 1)
            guard case .ended(let ending)? = try await phone.replica.outboxEntries().first?.status else {
                Issue.record("it waits still")
                return
            }
            #expect(ending.kind == .refused && !ending.reason.isEmpty)
            let asked = phone.transport.requests.count { $0.hasPrefix("PUT") }
            try await phone.replica.sync()
            #expect(phone.transport.requests.count { $0.hasPrefix("PUT") } == asked)
        }
    }

    @Test("A signed-out replica keeps its queue")
    func signedOut() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(light)
            phone.transport.setCondition(.clear)
            try await phone.client.sessions.logout()
            let report = try await phone.replica.sync()
            #expect(report.stopped == .unauthorized && report.waiting == 1)
            try await phone.client.sessions.login(username: "owner", password: TestHouse.password)
            #expect(try await phone.replica.sync().sent == 1)
        }
    }

    @Test("The queue holds five hundred commands, and the next is refused")
    func full() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            for _ in 0..<OfflinePolicy.queueLimit { _ = try await phone.replica.control(DeviceCommand("hall-light", "on")) }
            await #expect(throws: OfflineQueueError.queueFull) { try await phone.replica.control(DeviceCommand("hall-light", "off")) }
        }
    }

    // An app that closed its replica and read once more once crashed in SQLite.
    @Test("A closed replica refuses requests without a crash")
    func closed() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            try await phone.replica.close()
            try await phone.replica.close()
            await #expect(throws: ReplicaError.closed) { _ = try await phone.replica.devices() }
        }
    }

    // MARK: The file

    @Test("The replica's file contains no readable data and does not open with another key")
    func sealed() async throws {
        try await withFile { file in
            try await withHouse { house, line in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                try await phone.replica.sync()
                phone.transport.setCondition(.unreachable)
                _ = try await phone.replica.control(light)
                try await phone.replica.close()
                let folder = file.deletingLastPathComponent()
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    let kept = folder.appending(path: name)
                    let bytes = try Data(contentsOf: kept)
                    for word in ["front-door", "Front door", "Lime House", "hall-light", "owner"] {
                        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name) says \(word)")
                    }
                    let mode = try FileManager.default.attributesOfItem(atPath: kept.path)[.posixPermissions] as? NSNumber
                    #expect(mode?.intValue == 0o600, "\(name) has mode \(mode?.intValue ?? 0)")
                }
                #expect(throws: ReplicaError.sealedByAnotherKey(path: file.path)) {
                    try Replica(file: file, sealing: .random(), client: phone.client)
                }
            }
        }
    }
}
