import CardeaModel
import Foundation
import Testing

@Suite("Tasks for low batteries")
struct LowBatteryPolicyTests {
    private func sensor(_ value: String, _ id: String = "sensor.battery", unit: String? = "%", isEnabled: Bool = true) -> Entity {
        Entity(
            id: id, kind: .sensor, name: "Battery", deviceClass: "battery", unit: unit, isEnabled: isEnabled, verbs: [],
            state: EntityState(value))
    }

    private func device(_ entities: Entity...) -> Device {
        Device(
            id: "remote", name: "Remote", deviceClass: .sensor, integration: "scripted", status: .online,
            stateChangedAt: Date(timeIntervalSince1970: 0), entities: entities)
    }

    @Test("The lowest battery counts, and only readings in percent")
    func levels() {
        let climate = Entity(
            id: "sensor.air", kind: .sensor, name: "Humidity", deviceClass: "humidity", unit: "%", verbs: [], state: EntityState("3"))
        let word = Entity(
            id: "binary_sensor.battery", kind: .binarySensor, name: "Battery", deviceClass: "battery", unit: "%", verbs: [],
            state: EntityState("on"))

        #expect(LowBatteryPolicy.level(of: device(sensor("80"), sensor("17.5", "sensor.other"), climate)) == 17.5)
        for none in [sensor("unknown"), sensor("3", unit: "V"), sensor("3", isEnabled: false), sensor("-1"), sensor("255"), climate, word] {
            #expect(LowBatteryPolicy.level(of: device(none)) == nil, "\(none)")
        }
        #expect(LowBatteryPolicy.level(of: device()) == nil)
    }

    @Test("A task is created at 20 percent, once, and again one day after its completion")
    func asking() {
        let now = Date(timeIntervalSince1970: 1_795_269_600)
        func asks(_ level: Double, open: Bool = false, settled ago: TimeInterval? = nil) -> Bool {
            LowBatteryPolicy.shouldCreateTask(at: level, hasOpenTask: open, settledAt: ago.map { now.addingTimeInterval(-$0) }, now: now)
        }

        #expect(asks(20) && asks(0) && !asks(20.5))
        #expect(!asks(5, open: true))
        #expect(!asks(5, settled: 86_399) && asks(5, settled: 86_400) && !asks(50, settled: 86_400))
        // A clock that was set back waits.
        #expect(!asks(5, settled: -3600))
    }

    @Test("A device has one task id, and the title stays within the name limit")
    func words() {
        #expect(LowBatteryPolicy.taskID(for: "zigbee:0x1f") == "task_battery_zigbee_0x1f")
        #expect(LowBatteryPolicy.title(for: "Remote") == "Change the battery of Remote")
        #expect(LowBatteryPolicy.title(for: String(repeating: "a", count: 100)).count == Name.limit)
    }
}
