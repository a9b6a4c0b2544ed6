import CardeaModel
import Foundation

/// Something that was asked of an entity.
public struct TwinDesiredState: Hashable, Sendable {
    public let verb: Verb
    /// Nil for a verb that needs none, or where it is only known that something was asked.
    public let value: JSONValue?
    public let since: Date
    /// From then on nobody waits for it any more; nil for a wish that stands until another.
    public let until: Date?
    /// By whom, where that is known: `person:{id}`.
    public let actor: String?
    /// The device has said that it is so.
    public internal(set) var isReported = false

    public init(_ verb: Verb, value: JSONValue? = nil, since: Date, until: Date?, actor: String? = nil) {
        self.verb = verb
        self.value = value
        self.since = since
        self.until = until
        self.actor = actor
    }

    /// What the entity will say when it is done: `state` is its word, the rest its attributes. Empty where that cannot be told, as for a
    /// button, or for a brightness of which only the asking is known.
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

    /// Verbs of which one undoes the other: the last one asked is what is wanted.
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

    /// Whether `other`, asked later, stands in its place. A latch is a lock's: opening it follows unlocking.
    func isReplaced(by other: TwinDesiredState, on kind: EntityKind) -> Bool {
        if kind == .lock {
            return [.bolt, .position].contains(controlledProperty) && [.bolt, .position].contains(other.controlledProperty)
        }
        return controlledProperty == other.controlledProperty
    }
}
