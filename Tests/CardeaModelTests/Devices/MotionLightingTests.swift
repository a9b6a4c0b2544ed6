import CardeaModel
import Foundation
import Testing

@Suite("Motion lighting")
struct MotionLightingTests {
    /// A room with two lamps and a sensor.
    private final class Room {
        var lighting: MotionLighting
        var now = Date(timeIntervalSince1970: 1_795_269_600)
        var states = ["light.a": "off", "light.b": "off", "binary_sensor.motion": "off"]

        init(own: Set<String> = []) {
            lighting = MotionLighting(own: own)
        }

        private func entity(_ id: String) -> Entity {
            let isLight = id.hasPrefix("light.")
            return Entity(
                id: id, kind: isLight ? .light : .binarySensor, name: id, deviceClass: isLight ? nil : "motion",
                verbs: isLight ? [.on, .off, .setBrightness] : [], state: EntityState(states[id] ?? "unknown"))
        }

        func look(touched: Set<String> = []) -> MotionLighting.Step {
            let device = Device(
                id: "room", name: "Room", deviceClass: .light, integration: "test", status: .online, stateChangedAt: now,
                entities: states.keys.sorted().map(entity))
            lighting.releaseTouched(touched)
            return lighting.update(at: [device], now: now)
        }

        func motion(_ state: String) -> MotionLighting.Step {
            states["binary_sensor.motion"] = state
            return look()
        }

        /// Carries out a step, and evaluates again.
        func obey(_ step: MotionLighting.Step) -> MotionLighting.Step {
            for light in step.on { states[light.entityID] = "on" }
            for light in step.off { states[light.entityID] = "off" }
            return look()
        }

        func wait(_ seconds: TimeInterval) -> MotionLighting.Step {
            now += seconds
            return look()
        }
    }

    private func names(_ lights: [MotionLighting.Light]) -> [String] { lights.map(\.entityID) }

    @Test("Motion turns the lights on, and they turn off five minutes after the last motion")
    func onAndOff() {
        let room = Room()
        #expect(room.look() == MotionLighting.Step())
        let on = room.motion("on")
        #expect(names(on.on) == ["light.a", "light.b"] && on.off.isEmpty)
        #expect(room.obey(on).next == nil)
        let end = room.now.addingTimeInterval(MotionLighting.offDelay)
        #expect(room.motion("off").next == end)
        #expect(room.wait(299).off.isEmpty)
        // A person comes back: the wait restarts.
        #expect(room.motion("on") == MotionLighting.Step())
        #expect(room.motion("off").next == room.now.addingTimeInterval(MotionLighting.offDelay))
        let off = room.wait(300)
        #expect(names(off.off) == ["light.a", "light.b"] && off.next == nil)
        #expect(room.obey(off) == MotionLighting.Step() && room.wait(900) == MotionLighting.Step())
    }

    @Test("Lights in a room that was already lit are unchanged")
    func litByHand() {
        let room = Room()
        room.states["light.a"] = "on"
        _ = room.look()
        #expect(room.motion("on").on.isEmpty && room.motion("off").off.isEmpty && room.wait(600).off.isEmpty)
    }

    @Test("A light operated by hand is left alone, also if its state is the same as before")
    func touched() {
        let room = Room()
        _ = room.look()
        _ = room.obey(room.motion("on"))
        #expect(room.look(touched: ["light.a"]) == MotionLighting.Step())
        _ = room.motion("off")
        #expect(names(room.wait(300).off) == ["light.b"])
    }

    @Test("A light turned off by hand keeps the room dark until there is no motion for five minutes")
    func offByHand() {
        let room = Room()
        _ = room.look()
        _ = room.obey(room.motion("on"))
        room.states["light.a"] = "off"
        room.states["light.b"] = "off"
        _ = room.look()
        _ = room.motion("off")
        #expect(room.motion("on").on.isEmpty)
        #expect(room.motion("off").next != nil)
        _ = room.wait(300)
        #expect(names(room.motion("on").on) == ["light.a", "light.b"])
    }

    @Test("A light turned off and on by hand stays on")
    func handAfterHand() {
        let room = Room()
        _ = room.look()
        _ = room.obey(room.motion("on"))
        room.states["light.a"] = "off"
        _ = room.look()
        room.states["light.a"] = "on"
        _ = room.look()
        _ = room.motion("off")
        #expect(names(room.wait(300).off) == ["light.b"])
    }

    @Test("An unknown sensor counts as no motion, its return is no event, and the off delay starts afresh")
    func unknown() {
        let room = Room()
        _ = room.look()
        _ = room.obey(room.motion("on"))
        // The connection is lost while a person is there, and restored.
        #expect(room.motion("unknown") == MotionLighting.Step() && room.wait(900) == MotionLighting.Step())
        #expect(room.motion("on") == MotionLighting.Step())
        // The same without a person: the wait begins when the sensor reports again.
        _ = room.motion("off")
        #expect(room.motion("unknown") == MotionLighting.Step() && room.wait(900).off.isEmpty)
        #expect(room.motion("off").next == room.now.addingTimeInterval(MotionLighting.offDelay))
        #expect(names(room.wait(300).off) == ["light.a", "light.b"])
    }

    @Test("A lamp of unknown state is not turned on, and a lamp that turns on late counts as turned on by hand")
    func late() {
        let room = Room()
        room.states["light.a"] = "unknown"
        _ = room.look()
        #expect(names(room.motion("on").on) == ["light.b"])
        _ = room.motion("off")
        _ = room.wait(120)
        room.states["light.b"] = "on"
        _ = room.look()
        #expect(room.wait(600).off.isEmpty)
    }

    @Test("After a restart the hub's own lights turn off in time, and ongoing motion is no event")
    func restarted() {
        let room = Room(own: ["light.a"])
        room.states = ["light.a": "on", "light.b": "on", "binary_sensor.motion": "on"]
        #expect(room.look() == MotionLighting.Step())
        #expect(room.motion("off").next != nil)
        #expect(names(room.wait(300).off) == ["light.a"])
    }
}
