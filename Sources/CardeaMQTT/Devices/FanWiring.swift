import CardeaModel

/// A fan (Home Assistant: MQTT fan).
struct FanWiring: Wiring {
    private let power: OnOff
    private let speedReading: Reading?
    private let speedTarget: Target?
    private let lowest: Double
    private let highest: Double

    init(_ fields: inout Fields) {
        power = OnOff(&fields, stateTemplates: "state_value_template")
        speedReading = fields.reading("percentage_state_topic", "percentage_value_template")
        let target = fields.target("percentage_command_topic", "percentage_command_template")
        lowest = fields.number("speed_range_min") ?? 1
        highest = fields.number("speed_range_max") ?? 100
        speedTarget = highest >= lowest ? target : nil
    }

    var verbs: Set<Verb> {
        var verbs: Set<Verb> = power.target == nil ? [] : [.on, .off]
        if speedTarget != nil { verbs.insert(.setPercentage) }
        return verbs
    }
    var readings: [Reading] { [power.reading, speedReading].compactMap(\.self) }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        var next = power.state(state, after: heard)
        if let speed = speedReading?.number(in: heard), let percent = Scale(closed: lowest - 1, open: highest).percent(speed) {
            var told = next ?? state
            told.attributes["percentage"] = .number(Text.round(percent))
            if power.reading == nil { told.value = percent > 0 ? "on" : "off" }
            next = told
        }
        return next
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        guard verb == .setPercentage else { return power.telegram(for: verb).map { [$0] } }
        guard let speedTarget, let percent = value?.number else { return nil }
        if percent <= 0, let off = power.telegram(for: .off) { return [off] }
        let speed = Scale(closed: lowest - 1, open: highest).value(percent).rounded(.up)
        return speedTarget.telegram(.number(speed)).map { [$0] }
    }

    func reports(_ verb: Verb) -> Bool { verb == .setPercentage ? speedReading != nil : !readings.isEmpty }
}
