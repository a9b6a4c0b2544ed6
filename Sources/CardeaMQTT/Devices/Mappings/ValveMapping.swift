import CardeaModel

/// A valve of water or gas (Home Assistant: MQTT valve).
struct ValveMapping: EntityMapping {
    let verbs: Set<Verb>
    let stateTopics: [StateTopic]
    private let commandTopic: CommandTopic?
    private let payloads: [Verb: String]
    private let vocabulary: StateVocabulary
    private let position: PercentRange
    private let reportsPosition: Bool

    init(_ fields: inout AnnouncementFields) {
        commandTopic = fields.commandTopic("command_topic", "command_template")
        position = PercentRange(none: fields.number("position_closed") ?? 0, all: fields.number("position_open") ?? 100)
        stateTopics = [
            fields.stateTopic(
                "state_topic", "value_template",
                constants: ["position_closed": .number(position.none), "position_open": .number(position.all)])
        ].compactMap(\.self)
        let reportsPosition = fields.flag("reports_position") ?? false
        self.reportsPosition = reportsPosition
        var pairs: [(said: String?, means: String)] = [
            (fields.text("state_opening", else: "opening"), "opening"), (fields.text("state_closing", else: "closing"), "closing"),
        ]
        if !reportsPosition {
            pairs += [(fields.text("state_open", else: "open"), "open"), (fields.text("state_closed", else: "closed"), "closed")]
        }
        vocabulary = StateVocabulary(pairs)
        var payloads: [Verb: String] = [:]
        if commandTopic != nil {
            payloads[.open] = fields.isNull("payload_open") ? nil : fields.text("payload_open", else: "OPEN")
            payloads[.close] = fields.isNull("payload_close") ? nil : fields.text("payload_close", else: "CLOSE")
            payloads[.stop] = fields.text("payload_stop")
        }
        self.payloads = payloads
        verbs = Set(payloads.keys).union(commandTopic != nil && reportsPosition ? [.setPosition] : [])
    }

    var commandTopics: Set<String> { Set([commandTopic].compactMap { $0?.topic }) }

    // MARK: State

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        guard let text = stateTopics.first?.text(in: message) else { return nil }
        var (word, told): (String?, JSONValue?) = (text, .string(text))
        if case .object(let members)? = JSONValue.read(Array(text.utf8)) {
            guard members[reportsPosition ? "position" : "state"] != nil else { return nil }
            word = members["state"]?.string
            told = members["position"]
        }
        if reportsPosition { return stateWithPosition(state, word, told) }
        return word.flatMap(vocabulary.meaning).map { EntityState($0, attributes: state.attributes) }
    }

    /// The state of a valve that reports its position, and by a word that it moves.
    private func stateWithPosition(_ state: EntityState, _ word: String?, _ told: JSONValue?) -> EntityState? {
        var next = state
        let meaning = word.flatMap(vocabulary.meaning)
        if meaning == "unknown" {
            next.attributes["position"] = nil
            if !Self.moving.contains(next.value) { next.value = "unknown" }
            return next
        }
        if let number = PayloadText.number(told), let percent = position.percent(number) {
            let bounded = min(max(percent, 0), 100)
            next.attributes["position"] = .number(bounded)
            // At an end position it has stopped.
            if meaning == nil, !Self.moving.contains(next.value) || bounded == 0 || bounded == 100 {
                next.value = bounded == 0 ? "closed" : "open"
            }
        } else if meaning == nil {
            return nil
        }
        if let meaning { next.value = meaning }
        return next
    }

    private static let moving: Set = ["opening", "closing"]

    // MARK: Commands

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        guard verbs.contains(verb) else { return nil }
        switch verb {
        case .setPosition: return commandMessage(value?.number).map { [$0] }
        // A valve that reports its position is sent to it.
        case .open where reportsPosition: return commandMessage(100).map { [$0] }
        case .close where reportsPosition: return commandMessage(0).map { [$0] }
        default: return payloads[verb].flatMap { commandTopic?.commandMessage(.text($0)) }.map { [$0] }
        }
    }

    private func commandMessage(_ asked: Double?) -> CommandMessage? {
        guard let asked, asked >= 0, asked <= 100, let percent = Int(exactly: asked.rounded(.towardZero)),
            let own = PythonNumber.rounded(position.value(Double(percent)))
        else { return nil }
        var variables: [String: CommandArgument] = ["position": .integer(percent)]
        for (name, end) in [("position_closed", position.none), ("position_open", position.all)] {
            variables[name] = Int(exactly: end).map(CommandArgument.integer) ?? .float(end)
        }
        return commandTopic?.commandMessage(.integer(own), variables)
    }
}
