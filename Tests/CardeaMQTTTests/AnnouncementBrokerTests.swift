import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Announcements, codes and pictures over a real broker", .serialized, .timeLimit(.minutes(10)))
struct AnnouncementBrokerTests {
    @Test("A rejected announcement is listed with its secrets masked until it is withdrawn")
    func listed() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            let topic = "homeassistant/humidifier/den/config"
            try await broker.publish(topic, #"{"cmd_t": "c", "name": "Den", "api_key": "s3cret"}"#, retained: true)
            try await broker.publish("homeassistant/button/bell/config", #"{"name": "Bell", "cmd_t": "bell"}"#, retained: true)
            try await house.sink.log.waitUntil("what follows is read") { $0.devices["bell"] != nil }

            let report = try #require(await house.integration.announcements())
            #expect(report.omissions.map(\.component) == ["humidifier"])
            #expect(report.devices.map(\.deviceID) == ["bell"])
            #expect(await house.integration.announcement(at: topic) == #"{"cmd_t": "c", "name": "Den", "api_key": "•••"}"#)

            try await broker.publish(topic, "", retained: true)
            try await broker.publish("homeassistant/button/gong/config", #"{"name": "Gong", "cmd_t": "gong"}"#, retained: true)
            try await house.sink.log.waitUntil("what follows is read") { $0.devices["gong"] != nil }
            #expect(await house.integration.announcements()?.omissions.isEmpty == true)
            #expect(await house.integration.announcement(at: topic) == nil)
        }
    }

    @Test("A one-megabyte announcement is read")
    func large() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            let padding = String(repeating: "x", count: 1024 * 1024)
            try broker.scratch.write("large", #"{"name": "Pump", "cmd_t": "c", "x": "\#(padding)"}"#)
            _ = try await house.health("it is connected") { $0.status == .connected }
            try await broker.publish("homeassistant/switch/pump/config", file: broker.scratch.path("large"))
            try await house.sink.log.waitUntil("the pump is there") { $0.devices["pump"] != nil }
        }
    }

    @Test("A command issued before its device was re-announced is not sent, even with a wrong clock")
    func lateOrder() async throws {
        let broker = try await MosquittoBroker()
        try await broker.publish("homeassistant/lock/door/config", #"{"name": "Door", "cmd_t": "door/set"}"#, retained: true)
        let listener = try await broker.listener(to: ["door/set"])
        try await IntegrationFixture(broker).run { house in
            try await house.sink.log.waitUntil("the lock is there") { $0.statuses["door"] == .online }
            let backendCommand = house.backendCommand(.unlock, "lock.door")
            house.sink.log.change { $0.holds["lock.door"] = WayInRestrictions(isHeld: true, changedAt: Date()) }
            guard case .refused(let reason) = await house.integration.perform(backendCommand) else { throw CancellationError() }
            #expect(reason.contains("announcement has changed"))
            for changedAt in [backendCommand.acceptedAt, .distantFuture] {
                house.sink.log.change { $0.holds["lock.door"] = WayInRestrictions(isHeld: true, changedAt: changedAt) }
                #expect(await house.integration.perform(house.backendCommand(.lock, "lock.door")) == .dispatchedWithoutReport)
            }
            let seen = try await listener.until("both are seen") { $0.count { $0.payload == "LOCK" } == 2 }
            #expect(!seen.contains { $0.payload == "UNLOCK" })
        }
    }

    @Test("A lock that requires a code is opened with the stored code and gets no command without it")
    func codes() async throws {
        let broker = try await MosquittoBroker()
        let config = """
            {"name": null, "uniq_id": "u", "cmd_t": "door/set", "stat_t": "door/state", "code_format": "^[0-9]{4}$",
            "cmd_tpl": "{{ value }} {{ code }}", "dev": {"ids": ["d"], "name": "Door"}}
            """
        try await broker.publish("homeassistant/lock/door/config", config, retained: true)
        try await broker.publish("door/state", "LOCKED", retained: true)
        let listener = try await broker.listener(to: ["door/set"])
        func unlock(with codes: [String: String]) async throws -> DispatchResult {
            let handover = AwaitableValue<DispatchResult?>(nil)
            try await IntegrationFixture(MQTTSettings(host: "127.0.0.1", port: broker.port, codes: codes)).run { house in
                try await house.sink.log.waitUntil("the lock is there") { $0.last("lock.door")?.state.value == "locked" }
                let outcome = await house.integration.perform(house.backendCommand(.unlock, "lock.door"))
                handover.change { $0 = outcome }
            }
            return try #require(handover.now)
        }

        #expect(try await unlock(with: [:]) == .refused(reason: "this lock requires a code. Store it on the MQTT page"))
        #expect(
            try await unlock(with: ["lock.door": "47"])
                == .refused(reason: "the stored code is not valid for this lock. Change it on the MQTT page"))
        #expect(try await unlock(with: ["lock.door": "4711"]) == .dispatched)
        let seen = try await listener.until("the command is seen") { !$0.isEmpty }
        #expect(seen.map(\.payload) == ["UNLOCK 4711"])
    }

    @Test("A camera picture above the normal message limit is kept with its time")
    func picture() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            try await broker.publish("homeassistant/camera/yard/config", #"{"name": "Yard", "topic": "yard/picture"}"#, retained: true)
            try await house.sink.log.waitUntil("the camera is there") { $0.devices["yard"] != nil }
            let jpeg = Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 0, count: 300 * 1024)
            try jpeg.write(to: broker.scratch.url.appending(path: "picture"))
            try await broker.publish("yard/picture", file: broker.scratch.path("picture"))

            let report = try await house.sink.log.waitUntil("the picture is told") { $0.last("image.yard") != nil }.last("image.yard")
            #expect(report?.state.value.hasSuffix("Z") == true)
            #expect(await house.integration.picture(of: "image.yard")?.bytes == [UInt8](jpeg))
        }
    }
}
