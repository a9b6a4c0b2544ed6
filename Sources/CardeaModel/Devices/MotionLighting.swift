import Foundation

/// The lights of one room that go on with motion, and off when the room has been still for a while.
///
/// No light goes on while another one of the room is on, and only lights that went on this way and were not touched since go off. When a
/// person switches a light off by hand, the room stays dark until it has been still for as long.
public struct MotionLighting: Hashable, Sendable {
    /// Seconds without motion after which the lights go off.
    public static let offDelay: TimeInterval = 300
    /// Seconds in which a light carries out a command; a later change counts as made by a person.
    static let commandWindow: TimeInterval = 60

    public struct Light: Hashable, Sendable {
        public let deviceID: String
        public let entityID: String
    }

    /// Commands to request now, and the time of the next check without a change.
    public struct Step: Hashable, Sendable {
        public var on: [Light] = []
        public var off: [Light] = []
        public var next: Date?

        public init(on: [Light] = [], off: [Light] = [], next: Date? = nil) {
            self.on = on
            self.off = off
            self.next = next
        }
    }

    private struct LastCommand: Hashable, Sendable {
        let isOn: Bool
        let at: Date
    }

    /// The last report of each sensor and each light. One that is unknown now keeps it: its return is no event.
    private var motion: [String: Bool] = [:]
    private var lightStates: [String: Bool] = [:]
    /// Lights that went on this way.
    private var litByMotion: Set<String>
    private var lastCommands: [String: LastCommand] = [:]
    private var stillSince: Date?
    private var isSuppressed = false

    /// - Parameter own: lights switched on this way before, and not touched since.
    public init(own: Set<String> = []) {
        self.litByMotion = own
    }

    /// Stops controlling entities that were commanded from elsewhere.
    public mutating func releaseTouched(_ touched: Set<String>) {
        for id in touched {
            litByMotion.remove(id)
            lastCommands[id] = nil
        }
    }

    /// Updates the state from the room's devices, and returns the commands to send.
    ///
    /// - Parameter devices: those of the room.
    public mutating func update(at devices: [Device], now: Date) -> Step {
        let lights = devices.flatMap { device in
            Self.lights(of: device).map { (light: Light(deviceID: device.id, entityID: $0.id), isOn: Self.isOn($0, of: device)) }
        }
        for (light, isOn) in lights {
            if let isOn { observeLight(light.entityID, isOn: isOn, at: now) }
        }
        let (moved, isKnown) = readSensors(devices)
        return step(lights, moved: moved, isKnown: isKnown, at: now)
    }

    /// Records a light's state, and whether a person changed it.
    private mutating func observeLight(_ id: String, isOn: Bool, at now: Date) {
        guard let before = lightStates.updateValue(isOn, forKey: id), before != isOn else { return }
        let asked = lastCommands.removeValue(forKey: id)
        if let asked, asked.isOn == isOn, now.timeIntervalSince(asked.at) <= Self.commandWindow {
            if isOn { litByMotion.insert(id) } else { litByMotion.remove(id) }
        } else {
            litByMotion.remove(id)
            if !isOn { isSuppressed = true }
        }
    }

    /// Reads the sensors.
    ///
    /// - Returns: whether motion began, and whether any sensor's state is known.
    private mutating func readSensors(_ devices: [Device]) -> (moved: Bool, isKnown: Bool) {
        var (moved, isKnown, before) = (false, false, motion)
        motion = [:]
        for device in devices {
            for sensor in device.entities where Self.isMotion(sensor) {
                let last = before.removeValue(forKey: sensor.id)
                let isOn = Self.isOn(sensor, of: device)
                motion[sensor.id] = isOn ?? last
                if isOn != nil { isKnown = true }
                if isOn == true, last == false { moved = true }
            }
        }
        return (moved, isKnown)
    }

    private mutating func step(_ lights: [(light: Light, isOn: Bool?)], moved: Bool, isKnown: Bool, at now: Date) -> Step {
        var step = Step()
        // While a sensor is offline, its last report does not switch lights off.
        if motion.values.contains(true) || !isKnown { stillSince = nil } else if stillSince == nil { stillSince = now }
        if let stillSince, now.timeIntervalSince(stillSince) >= Self.offDelay {
            step.off = lights.filter { $0.isOn == true && litByMotion.contains($0.light.entityID) }.map(\.light)
            for light in step.off { lastCommands[light.entityID] = LastCommand(isOn: false, at: now) }
            litByMotion = []
            isSuppressed = false
        }
        if moved, !isSuppressed, !lights.contains(where: { $0.isOn == true && !litByMotion.contains($0.light.entityID) }) {
            step.on = lights.filter { $0.isOn == false }.map(\.light)
            for light in step.on { lastCommands[light.entityID] = LastCommand(isOn: true, at: now) }
        }
        if let stillSince, !litByMotion.isEmpty || isSuppressed { step.next = stillSince.addingTimeInterval(Self.offDelay) }
        return step
    }

    // MARK: Members

    /// The lights of a device that it switches: what only reports on the device is none, and no way in is.
    public static func lights(of device: Device) -> [Entity] {
        device.entities.filter {
            $0.kind == .light && $0.isEnabled && $0.category == nil && !$0.isWayIn && $0.verbs.isSuperset(of: [.on, .off])
        }
    }

    static func isMotion(_ entity: Entity) -> Bool {
        entity.kind == .binarySensor && entity.isEnabled && ["motion", "occupancy"].contains(entity.deviceClass)
    }

    /// Nil if it is not known now.
    private static func isOn(_ entity: Entity, of device: Device) -> Bool? {
        guard device.status != .offline else { return nil }
        return switch entity.state.value {
        case "on": true
        case "off": false
        default: nil
        }
    }
}
