import CardeaModel

/// An alarm panel (Home Assistant: MQTT alarm control panel).
struct AlarmMapping: EntityMapping {
    let verbs: Set<Verb>
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    private let commandTopic: CommandTopic?
    /// The payload of each way of arming.
    private let armPayloads: [String: String]
    private let payloads: [Verb: String]
    private let code: CodeRequirement?
    private let codedVerbs: Set<Verb>

    /// A code that the announcement asks for.
    private enum CodeRequirement: Sendable {
        /// This one.
        case fixed(String)
        /// Any: the panel checks it.
        case remote

        func accepts(_ code: String?) -> Bool {
            guard let code, !code.isEmpty else { return false }
            if case .fixed(let right) = self { return code == right }
            return true
        }
    }

    private static let states: Set = [
        "disarmed", "armed_home", "armed_away", "armed_night", "armed_vacation", "armed_custom_bypass", "pending", "arming", "disarming",
        "triggered",
    ]
    private static let modes = ["home", "away", "night", "vacation", "custom_bypass"]

    init(_ fields: inout AnnouncementFields) {
        commandTopic = fields.commandTopic("command_topic", "command_template")
        stateTopics = [fields.stateTopic("state_topic", "value_template")].compactMap(\.self)
        let all = Self.modes.map { "arm_\($0)" } + ["trigger"]
        let features = Set(fields.has("supported_features") ? fields.texts("supported_features") : all)
        var armings: [String: String] = [:]
        for mode in Self.modes where features.contains("arm_\(mode)") {
            armings[mode] = fields.text("payload_arm_\(mode)", else: "ARM_\(mode.uppercased())")
        }
        self.armPayloads = armings
        var payloads: [Verb: String] = [.disarm: fields.text("payload_disarm", else: "DISARM")]
        if features.contains("trigger") { payloads[.trigger] = fields.text("payload_trigger", else: "TRIGGER") }
        self.payloads = payloads
        let said = fields.text("code")
        code = said.map { ["REMOTE_CODE", "REMOTE_CODE_TEXT"].contains($0) ? .remote : .fixed($0) }
        var coded: Set<Verb> = []
        if said != nil {
            for (verb, key) in [(Verb.arm, "arm"), (.disarm, "disarm"), (.trigger, "trigger")]
            where fields.flag("code_\(key)_required") ?? true { coded.insert(verb) }
        }
        codedVerbs = coded
        let verbs = commandTopic == nil ? [] : Set(payloads.keys).union(armings.isEmpty ? [] : [.arm])
        self.verbs = verbs
        staticAttributes = StaticAttributes([
            EntityState.armings: StaticAttributes.list(Self.modes.filter { armings[$0] != nil }),
            "code_required": .bool(!coded.isDisjoint(with: verbs)),
        ])
    }

    var commandTopics: Set<String> { Set([commandTopic].compactMap { $0?.topic }) }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        guard let word = stateTopics.first?.text(in: message), word == StateVocabulary.none || Self.states.contains(word) else {
            return nil
        }
        var next = EntityState(word == StateVocabulary.none ? "unknown" : word, attributes: state.attributes)
        staticAttributes.apply(to: &next.attributes)
        return next
    }

    func needsCode(_ verb: Verb) -> Bool { codedVerbs.contains(verb) }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        guard verbs.contains(verb), let action = verb == .arm ? value?.string.flatMap({ armPayloads[$0] }) : payloads[verb] else {
            return nil
        }
        if needsCode(verb), self.code?.accepts(code) == false { return nil }
        guard let commandTopic else { return nil }
        // The template gets the action by its own name, and no value.
        guard commandTopic.template != nil else { return [CommandMessage(topic: commandTopic.topic, payload: action)] }
        return commandTopic.commandMessage(.null, ["action": .text(action), "code": code.map(CommandArgument.text) ?? .null]).map { [$0] }
    }
}
