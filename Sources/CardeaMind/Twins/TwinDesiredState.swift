import CardeaModel
import Foundation

/// A command to an entity, as a desired state.
public struct TwinDesiredState: Hashable, Sendable {
    public let verb: Verb
    /// Nil for a verb without a value, or if only the command itself is known.
    public let value: JSONValue?
    public let since: Date
    /// The time after which it is no longer waited for; nil if it holds until replaced.
    public let until: Date?
    /// The actor, if known: `person:{id}`.
    public let actor: String?
    /// True if the device has reported it as done.
    public internal(set) var isReported = false

    public init(_ verb: Verb, value: JSONValue? = nil, since: Date, until: Date?, actor: String? = nil) {
        self.verb = verb
        self.value = value
        self.since = since
        self.until = until
        self.actor = actor
    }

    /// The state that the entity will report when the command is done: `state` is its state, the rest its attributes. Empty if it cannot
    /// be foreseen, as for a button, or for a brightness of which only the request is known.
    public func expected(of kind: EntityKind) -> [String: JSONValue] {
        switch verb {
        case .on: kind == .climate ? [:] : ["state": "on"]
        case .off: ["state": "off"]
        case .lock: ["state": "locked"]
        case .unlock: ["state": "unlocked"]
        case .open: ["state": "open"]
        case .close: ["state": "closed"]
        case .play: ["playback": "playing"]
        case .pause: ["playback": "paused"]
        case .setPosition: number("position")
        case .setTilt: number("tilt")
        case .setBrightness: number("brightness")
        case .setTemperature: temperature
        case .setPercentage: number("percentage")
        case .setVolume: number("volume")
        case .setColor: value.map { ["color": $0] } ?? [:]
        case .setMode: value.map { ["state": $0] } ?? [:]
        case .setPreset: value.map { ["preset_mode": $0] } ?? [:]
        case .setEffect: value.map { ["effect": $0] } ?? [:]
        case .setDirection: value.map { ["direction": $0] } ?? [:]
        case .oscillate: value.map { ["oscillating": $0] } ?? [:]
        case .arm: value?.string.map { ["state": .string("armed_\($0)")] } ?? [:]
        case .disarm: ["state": "disarmed"]
        case .trigger: ["state": "triggered"]
        case .stop, .press, .read: [:]
        }
    }

    private var temperature: [String: JSONValue] {
        guard case .object(let bounds)? = value else { return number("target_temperature") }
        var ends: [String: JSONValue] = [:]
        ends["target_temperature_low"] = bounds["low"]
        ends["target_temperature_high"] = bounds["high"]
        return ends
    }

    private func number(_ key: String) -> [String: JSONValue] { value?.number.map { [key: .number($0)] } ?? [:] }

    /// The property that a verb controls. Verbs with the same property replace each other: the last one counts.
    var controlledProperty: ControlledProperty {
        switch verb {
        case .on, .off, .setMode: .power
        case .lock, .unlock: .bolt
        case .open, .close, .stop, .setPosition: .position
        case .play, .pause: .playback
        case .setTilt: .tilt
        case .setBrightness: .brightness
        case .setColor: .color
        case .setTemperature: .temperature
        case .setPercentage: .percentage
        case .setVolume: .volume
        case .setPreset: .preset
        case .setEffect: .effect
        case .setDirection: .direction
        case .oscillate: .oscillation
        case .arm, .disarm, .trigger: .alarm
        case .press: .press
        case .read: .nothing
        }
    }

    enum ControlledProperty: Hashable {
        case power, bolt, position, playback, tilt, brightness, color, temperature, percentage, volume, preset, effect, direction,
            oscillation, alarm,
            press, nothing
    }

    /// Returns true if `other`, asked later, replaces this one. A latch belongs to a lock: opening it follows unlocking.
    func isReplaced(by other: TwinDesiredState, on kind: EntityKind) -> Bool {
        if kind == .lock {
            return [.bolt, .position].contains(controlledProperty) && [.bolt, .position].contains(other.controlledProperty)
        }
        return controlledProperty == other.controlledProperty
    }
}
