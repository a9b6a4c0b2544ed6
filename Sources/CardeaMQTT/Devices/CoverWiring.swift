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
    private let position: PercentRange
    private let tiltReading: Reading?
    private let tiltTarget: Target?
    private let tilt: PercentRange
    private let stopTilt: String?
    /// Its position comes with its tilt, in JSON.
    private let positionHasTilt: Bool

    init(_ fields: inout Fields) {
        target = fields.target("command_topic")
        position = PercentRange(none: fields.number("position_closed") ?? 0, all: fields.number("position_open") ?? 100)
        tilt = PercentRange(none: fields.number("tilt_min") ?? 0, all: fields.number("tilt_max") ?? 100)
        let ends: [String: JSONValue] = [
            "position_closed": .number(position.none), "position_open": .number(position.all), "tilt_min": .number(tilt.none),
            "tilt_max": .number(tilt.all),
        ]
        stateReading = fields.reading("state_topic", "value_template")
        positionReading = fields.reading("position_topic", "position_template", constants: ends)
        positionTarget = fields.target("set_position_topic", "set_position_template")
        tiltReading = fields.reading("tilt_status_topic", "tilt_status_template", constants: ends)
        tiltTarget = fields.target("tilt_command_topic", "tilt_command_template")
        positionHasTilt = fields.text("position_template")?.contains("tilt_position") ?? false
        words = Words([
            (fields.text("state_stopped", else: "stopped"), "stopped"),
            (fields.text("state_opening", else: "opening"), "opening"),
            (fields.text("state_closing", else: "closing"), "closing"),
            (fields.text("state_open", else: "open"), "open"),
            (fields.text("state_closed", else: "closed"), "closed"),
        ])
        // An explicit null says that the cover cannot do it.
        func payload(_ key: String, _ fallback: String) -> String? { fields.isNull(key) ? nil : fields.text(key, else: fallback) }
        var payloads: [Verb: String] = [:]
        if target != nil {
            payloads[.open] = payload("payload_open", "OPEN")
            payloads[.close] = payload("payload_close", "CLOSE")
            payloads[.stop] = payload("payload_stop", "STOP")
        }
        self.payloads = payloads
        stopTilt = tiltTarget == nil ? nil : payload("payload_stop_tilt", "STOP")
        var verbs = Set(payloads.keys)
        if positionTarget != nil { verbs.insert(.setPosition) }
        if tiltTarget != nil { verbs.insert(.setTilt) }
        if stopTilt != nil { verbs.insert(.stop) }
        self.verbs = verbs
    }

    var readings: [Reading] { [stateReading, positionReading, tiltReading].compactMap(\.self) }

    var commandTopics: Set<String> { Set([target, positionTarget, tiltTarget].compactMap { $0?.topic }) }

    // MARK: State

    func next(_ state: EntityState, after heard: Heard) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let text = positionReading?.text(in: heard), take(position: text, in: &next) { isAboutUs = true }
        if let text = tiltReading?.text(in: heard), take(tilt: PythonNumber.finite(text), in: &next) { isAboutUs = true }
        if let word = stateReading?.text(in: heard).flatMap(words.meaning) {
            isAboutUs = true
            next.value = word == "stopped" ? stopped(from: next) : word
        }
        return isAboutUs ? next : nil
    }

    /// Takes a position: a number, or JSON with `position` and perhaps `tilt_position`. False where there is none.
    private func take(position text: String, in state: inout EntityState) -> Bool {
        var number = PythonNumber.finite(text)
        var isAboutUs = false
        if number == nil, case .object(let members)? = JSONValue.read(Array(text.utf8)) {
            guard let told = members["position"] else { return false }
            if let told = members["tilt_position"], take(tilt: Text.number(told), in: &state) { isAboutUs = true }
            number = Text.number(told)
        }
        guard let number, let percent = position.percent(number) else { return isAboutUs }
        state.attributes["position"] = .number(min(max(percent, 0), 100))
        if stateReading == nil { state.value = percent <= 0 ? "closed" : "open" }
        return true
    }

    /// Takes a tilt. One beyond the ends of its range is none.
    private func take(tilt number: Double?, in state: inout EntityState) -> Bool {
        guard let number else { return false }
        let whole = PythonNumber.round(number)
        guard whole >= min(tilt.none, tilt.all), whole <= max(tilt.none, tilt.all), let percent = tilt.percent(whole) else { return false }
        state.attributes["tilt"] = .number(percent)
        return true
    }

    /// The state of a cover that only says that it stopped.
    private func stopped(from state: EntityState) -> String {
        if positionReading != nil { return state.attributes["position"]?.number == 0 ? "closed" : "open" }
        return state.value == "closing" || state.value == "closed" ? "closed" : "open"
    }

    // MARK: Commands

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [Telegram]? {
        switch verb {
        case .setPosition:
            return telegram(value, position, positionTarget, as: "position").map { [$0] }
        case .setTilt:
            return telegram(value, tilt, tiltTarget, as: "tilt_position").map { [$0] }
        case .stop where payloads[.stop] == nil:
            // A tilt command that stops is sent as it is, without its template.
            guard let stopTilt, let tiltTarget else { return nil }
            return [Telegram(topic: tiltTarget.topic, payload: stopTilt)]
        default: return payloads[verb].flatMap { target?.telegram(.text($0)) }.map { [$0] }
        }
    }

    /// The device's own value as a message. A template gets the percentage too, under `name`, and the ends of the ranges.
    private func telegram(_ value: JSONValue?, _ range: PercentRange, _ target: Target?, as name: String) -> Telegram? {
        guard let asked = value?.number, asked >= 0, asked <= 100, let percent = Int(exactly: asked.rounded(.towardZero)),
            let own = PythonNumber.rounded(range.value(Double(percent)))
        else { return nil }
        var variables: [String: Argument] = [name: .integer(percent)]
        let ends = ["position_closed": position.none, "position_open": position.all, "tilt_min": tilt.none, "tilt_max": tilt.all]
        for (name, end) in ends { variables[name] = Int(exactly: end).map(Argument.integer) ?? .float(end) }
        return target?.telegram(.integer(own), variables)
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setPosition: positionReading != nil
        case .setTilt: tiltReading != nil || positionReading != nil && positionHasTilt
        default: stateReading != nil || positionReading != nil
        }
    }
}
