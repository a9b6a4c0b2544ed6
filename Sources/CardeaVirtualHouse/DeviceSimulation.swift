import CardeaModel
import Foundation

/// The movements of virtual devices, as plain values.
enum DeviceSimulation {
    struct Step: Hashable {
        /// Seconds after the step before.
        let after: TimeInterval
        let state: EntityState
        /// True if the bolt or the door really moved.
        var actuates = false
    }

    static func steps(_ verb: Verb, value: JSONValue?, of entity: Entity, jams: Bool, pace: VirtualHouse.Timing) -> [Step] {
        var attributes = entity.state.attributes
        switch (entity.kind, verb) {
        case (.lock, .unlock), (.lock, .lock):
            let done = verb == .unlock ? "unlocked" : "locked"
            let ending = Step(after: pace.bolt, state: EntityState(jams ? "jammed" : done), actuates: !jams)
            return pace.bolt > 0 ? [Step(after: 0, state: EntityState(verb == .unlock ? "unlocking" : "locking")), ending] : [ending]
        case (.cover, .open): return travel(to: 100, entity.state, jams, pace)
        case (.cover, .close): return travel(to: 0, entity.state, jams, pace)
        case (.cover, .setPosition): return travel(to: value?.number ?? 0, entity.state, jams, pace)
        case (.cover, .stop): return [Step(after: 0, state: EntityState(openness(attributes["position"]), attributes: attributes))]
        case (.climate, .setTemperature):
            attributes["target_temperature"] = value
            return [Step(after: 0, state: EntityState(entity.state.value == "off" ? "heat" : entity.state.value, attributes: attributes))]
        case (.climate, .setMode): return [Step(after: 0, state: EntityState(value?.string ?? entity.state.value, attributes: attributes))]
        case (.climate, .on): return [Step(after: 0, state: EntityState("heat", attributes: attributes))]
        case (_, .on), (_, .off): return [Step(after: 0, state: EntityState(verb.rawValue, attributes: attributes))]
        case (.light, .setBrightness):
            attributes["brightness"] = value
            return [Step(after: 0, state: EntityState((value?.number ?? 0) > 0 ? "on" : "off", attributes: attributes))]
        case (.light, .setColor):
            attributes["color"] = value
            return [Step(after: 0, state: EntityState("on", attributes: attributes))]
        case (.fan, .setPercentage):
            attributes["percentage"] = value
            return [Step(after: 0, state: EntityState((value?.number ?? 0) > 0 ? "on" : "off", attributes: attributes))]
        default: return []
        }
    }

    /// Returns the effect of weather and heating on an entity; nil if there is none.
    static func drift(_ entity: Entity, hour: Int, isLivedIn: Bool = false) -> EntityState? {
        var state = entity.state
        switch (entity.kind, entity.deviceClass) {
        case (.climate, _):
            guard let current = state.attributes["current_temperature"]?.number else { return nil }
            let target = state.value == "off" ? 16 : state.attributes["target_temperature"]?.number ?? current
            let step = (target - current).clamped(to: -0.2...0.2)
            state.attributes["current_temperature"] = .number(((current + step) * 10).rounded() / 10)
            return state
        case (.sensor, "temperature"):
            state.value = String(format: "%.1f", 7.8 + 2.5 * sin(Double(hour) / 12))
            return state
        case (.sensor, "power"):
            state.value = String(format: "%.0f", 420 + 180 * sin(Double(hour) / 5))
            return state
        case (.sensor, "energy"):
            guard let counted = Double(state.value) else { return nil }
            state.value = String(format: "%.3f", counted + 0.002)
            return state
        case (.binarySensor, "motion"):
            state.value = (isLivedIn ? ResidentRoutine.isHallOccupied(at: hour) : hour.isMultiple(of: 7)) ? "on" : "off"
            return state
        default: return nil
        }
    }

    private static func travel(to target: Double, _ state: EntityState, _ jams: Bool, _ pace: VirtualHouse.Timing) -> [Step] {
        let start = state.attributes["position"]?.number ?? 0
        let way = abs(target - start) / 100
        if jams { return [Step(after: 0, state: EntityState(openness(.number(start)), attributes: ["position": .number(start)]))] }
        let end = Step(
            after: pace.garage * way, state: EntityState(openness(.number(target)), attributes: ["position": .number(target)]),
            actuates: way > 0)
        guard pace.garage > 0, way > 0 else { return [end] }
        let moving = target > start ? "opening" : "closing"
        return [Step(after: 0, state: EntityState(moving, attributes: ["position": .number(start)])), end]
    }

    private static func openness(_ position: JSONValue?) -> String { (position?.number ?? 0) > 0 ? "open" : "closed" }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double { min(max(self, range.lowerBound), range.upperBound) }
}
