import CardeaModel

/// A cover: a garage, a gate, a blind (Home Assistant: MQTT cover).
struct CoverMapping: EntityMapping {
    let verbs: Set<Verb>
    private let commandTopic: CommandTopic?
    private let payloads: [Verb: String]
    private let stateTopic: StateTopic?
    private let vocabulary: StateVocabulary
    private let positionStateTopic: StateTopic?
    private let positionCommandTopic: CommandTopic?
    private let position: PercentRange
    private let tiltStateTopic: StateTopic?
    private let tiltCommandTopic: CommandTopic?
    private let tilt: PercentRange
    private let stopTilt: String?
    /// Its position comes with its tilt, in JSON.
    private let positionHasTilt: Bool

    init(_ fields: inout AnnouncementFields) {
        commandTopic = fields.commandTopic("command_topic")
        position = PercentRange(none: fields.number("position_closed") ?? 0, all: fields.number("position_open") ?? 100)
        tilt = PercentRange(none: fields.number("tilt_min") ?? 0, all: fields.number("tilt_max") ?? 100)
        let ends: [String: JSONValue] = [
            "position_closed": .number(position.none), "position_open": .number(position.all), "tilt_min": .number(tilt.none),
            "tilt_max": .number(tilt.all),
        ]
        stateTopic = fields.stateTopic("state_topic", "value_template")
        positionStateTopic = fields.stateTopic("position_topic", "position_template", constants: ends)
        positionCommandTopic = fields.commandTopic("set_position_topic", "set_position_template")
        tiltStateTopic = fields.stateTopic("tilt_status_topic", "tilt_status_template", constants: ends)
        tiltCommandTopic = fields.commandTopic("tilt_command_topic", "tilt_command_template")
        positionHasTilt = fields.text("position_template")?.contains("tilt_position") ?? false
        vocabulary = StateVocabulary([
            (fields.text("state_stopped", else: "stopped"), "stopped"),
            (fields.text("state_opening", else: "opening"), "opening"),
            (fields.text("state_closing", else: "closing"), "closing"),
            (fields.text("state_open", else: "open"), "open"),
            (fields.text("state_closed", else: "closed"), "closed"),
        ])
        // An explicit null says that the cover cannot do it.
        func payload(_ key: String, _ fallback: String) -> String? { fields.isNull(key) ? nil : fields.text(key, else: fallback) }
        var payloads: [Verb: String] = [:]
        if commandTopic != nil {
            payloads[.open] = payload("payload_open", "OPEN")
            payloads[.close] = payload("payload_close", "CLOSE")
            payloads[.stop] = payload("payload_stop", "STOP")
        }
        self.payloads = payloads
        stopTilt = tiltCommandTopic == nil ? nil : payload("payload_stop_tilt", "STOP")
        var verbs = Set(payloads.keys)
        if positionCommandTopic != nil { verbs.insert(.setPosition) }
        if tiltCommandTopic != nil { verbs.insert(.setTilt) }
        if stopTilt != nil { verbs.insert(.stop) }
        self.verbs = verbs
    }

    var stateTopics: [StateTopic] { [stateTopic, positionStateTopic, tiltStateTopic].compactMap(\.self) }

    var commandTopics: Set<String> { Set([commandTopic, positionCommandTopic, tiltCommandTopic].compactMap { $0?.topic }) }

    // MARK: State

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let text = positionStateTopic?.text(in: message), apply(position: text, in: &next) { isAboutUs = true }
        if let text = tiltStateTopic?.text(in: message), apply(tilt: PythonNumber.finite(text), in: &next) { isAboutUs = true }
        if let word = stateTopic?.text(in: message).flatMap(vocabulary.meaning) {
            isAboutUs = true
            next.value = word == "stopped" ? stopped(from: next) : word
        }
        return isAboutUs ? next : nil
    }

    /// Takes a position: a number, or JSON with `position` and perhaps `tilt_position`. False if there is none.
    private func apply(position text: String, in state: inout EntityState) -> Bool {
        var number = PythonNumber.finite(text)
        var isAboutUs = false
        if number == nil, case .object(let members)? = JSONValue.read(Array(text.utf8)) {
            guard let told = members["position"] else { return false }
            if let told = members["tilt_position"], apply(tilt: PayloadText.number(told), in: &state) { isAboutUs = true }
            number = PayloadText.number(told)
        }
        guard let number, let percent = position.percent(number) else { return isAboutUs }
        state.attributes["position"] = .number(min(max(percent, 0), 100))
        if stateTopic == nil { state.value = percent <= 0 ? "closed" : "open" }
        return true
    }

    /// Takes a tilt. One beyond the ends of its range is none.
    private func apply(tilt number: Double?, in state: inout EntityState) -> Bool {
        guard let number else { return false }
        let whole = PythonNumber.round(number)
        guard whole >= min(tilt.none, tilt.all), whole <= max(tilt.none, tilt.all), let percent = tilt.percent(whole) else { return false }
        state.attributes["tilt"] = .number(percent)
        return true
    }

    /// The state of a cover that only says that it stopped.
    private func stopped(from state: EntityState) -> String {
        if positionStateTopic != nil { return state.attributes["position"]?.number == 0 ? "closed" : "open" }
        return state.value == "closing" || state.value == "closed" ? "closed" : "open"
    }

    // MARK: Commands

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        switch verb {
        case .setPosition:
            return commandMessage(value, position, positionCommandTopic, as: "position").map { [$0] }
        case .setTilt:
            return commandMessage(value, tilt, tiltCommandTopic, as: "tilt_position").map { [$0] }
        case .stop where payloads[.stop] == nil:
            // A tilt command that stops is sent without its template.
            guard let stopTilt, let tiltCommandTopic else { return nil }
            return [CommandMessage(topic: tiltCommandTopic.topic, payload: stopTilt)]
        default: return payloads[verb].flatMap { commandTopic?.commandMessage(.text($0)) }.map { [$0] }
        }
    }

    /// The device's own value as a message. A template gets the percentage too, under `name`, and the ends of the ranges.
    private func commandMessage(_ value: JSONValue?, _ range: PercentRange, _ target: CommandTopic?, as name: String) -> CommandMessage? {
        guard let asked = value?.number, asked >= 0, asked <= 100, let percent = Int(exactly: asked.rounded(.towardZero)),
            let own = PythonNumber.rounded(range.value(Double(percent)))
        else { return nil }
        var variables: [String: CommandArgument] = [name: .integer(percent)]
        let ends = ["position_closed": position.none, "position_open": position.all, "tilt_min": tilt.none, "tilt_max": tilt.all]
        for (name, end) in ends { variables[name] = Int(exactly: end).map(CommandArgument.integer) ?? .float(end) }
        return target?.commandMessage(.integer(own), variables)
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setPosition: positionStateTopic != nil
        case .setTilt: tiltStateTopic != nil || positionStateTopic != nil && positionHasTilt
        default: stateTopic != nil || positionStateTopic != nil
        }
    }
}
