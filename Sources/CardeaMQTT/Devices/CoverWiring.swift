import CardeaModel

/// A cover: a garage, a gate, a blind (Home Assistant: MQTT cover).
struct CoverWiring: Wiring {
    let verbs: Set<Verb>
    private let target: Target?
    private let payloads: [Verb: String]
    private let stateReading: Reading?
    private let words: Words
    private let positionReading: Reading?
    private let positionTarget: Target?
    private let position: Scale
    private let tiltReading: Reading?
    private let tiltTarget: Target?
    private let tilt: Scale

    init(_ fields: inout Fields) {
        target = fields.target("command_topic", "command_template")
        stateReading = fields.reading("state_topic", "value_template")
        positionReading = fields.reading("position_topic", "position_template")
        positionTarget = fields.target("set_position_topic", "set_position_template")
        position = Scale(closed: fields.number("position_closed") ?? 0, open: fields.number("position_open") ?? 100)
        tiltReading = fields.reading("tilt_status_topic", "tilt_status_template")
        tiltTarget = fields.target("tilt_command_topic", "tilt_command_template")
        tilt = Scale(closed: fields.number("tilt_min") ?? 0, open: fields.number("tilt_max") ?? 100)
        words = Words([
            (fields.text("state_open", else: "open"), "open"),
            (fields.text("state_closed", else: "closed"), "closed"),
            (fields.text("state_opening", else: "opening"), "opening"),
            (fields.text("state_closing", else: "closing"), "closing"),
            (fields.text("state_stopped", else: "stopped"), "stopped"),
        ])
        var payloads: [Verb: String] = [:]
        if target != nil {
            // An explicit null says that the cover cannot do it.
            payloads[.open] = fields.isNull("payload_open") ? nil : fields.text("payload_open", else: "OPEN")
            payloads[.close] = fields.isNull("payload_close") ? nil : fields.text("payload_close", else: "CLOSE")
            payloads[.stop] = fields.isNull("payload_stop") ? nil : fields.text("payload_stop", else: "STOP")
        }
        self.payloads = payloads
        var verbs = Set(payloads.keys)
        if positionTarget != nil { verbs.insert(.setPosition) }
        if tiltTarget != nil { verbs.insert(.setTilt) }
        self.verbs = verbs
    }

    var readings: [Reading] { [stateReading, positionReading, tiltReading].compactMap(\.self) }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let number = positionReading?.number(in: heard), let percent = position.percent(number) {
            isAboutUs = true
            next.attributes["position"] = .number(percent)
            if stateReading == nil { next.value = percent == 0 ? "closed" : "open" }
        }
        if let number = tiltReading?.number(in: heard), let percent = tilt.percent(number) {
            isAboutUs = true
            next.attributes["tilt"] = .number(percent)
        }
        if let word = stateReading?.text(in: heard).flatMap(words.meaning) {
            isAboutUs = true
            next.value = word == "stopped" ? stopped(from: next) : word
        }
        return isAboutUs ? next : nil
    }

    /// Where a cover stands that only says that it stands.
    private func stopped(from state: EntityState) -> String {
        if positionReading != nil, let percent = state.attributes["position"]?.number { return percent == 0 ? "closed" : "open" }
        return state.value == "closing" ? "closed" : state.value == "closed" ? "closed" : "open"
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        switch verb {
        case .setPosition:
            guard let percent = value?.number else { return nil }
            let own = Text.round(position.value(percent))
            return positionTarget?.telegram(.number(own), ["position": .number(own)].merging(bounds) { $1 }).map { [$0] }
        case .setTilt:
            guard let percent = value?.number else { return nil }
            let own = Text.round(tilt.value(percent))
            return tiltTarget?.telegram(.number(own), ["tilt_position": .number(own)].merging(bounds) { $1 }).map { [$0] }
        default: return payloads[verb].flatMap { target?.telegram(.string($0)) }.map { [$0] }
        }
    }

    /// The ends of the device's own ranges, which a template may use.
    private var bounds: [String: JSONValue] {
        [
            "position_closed": .number(position.closed), "position_open": .number(position.open), "tilt_min": .number(tilt.closed),
            "tilt_max": .number(tilt.open),
        ]
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setPosition: positionReading != nil
        case .setTilt: tiltReading != nil
        default: stateReading != nil || positionReading != nil
        }
    }
}

/// A device's own range and the house's percent.
struct Scale: Hashable, Sendable {
    let closed: Double
    let open: Double

    func percent(_ number: Double) -> Double? {
        guard open != closed else { return nil }
        let percent = (number - closed) / (open - closed) * 100
        guard percent.isFinite else { return nil }
        return Text.round(min(max(percent, 0), 100), 1)
    }

    func value(_ percent: Double) -> Double { closed + (open - closed) * min(max(percent, 0), 100) / 100 }
}
