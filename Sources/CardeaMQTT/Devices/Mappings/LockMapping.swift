import CardeaModel
import CardeaTemplates
import Foundation

/// A lock (Home Assistant: MQTT lock).
struct LockMapping: EntityMapping {
    let verbs: Set<Verb>
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    private let commandTopic: CommandTopic?
    private let payloads: [Verb: String]
    private let vocabulary: StateVocabulary
    /// The form of its code; nil if it wants none.
    private let codeFormat: CodeFormat?

    init(_ fields: inout AnnouncementFields) {
        commandTopic = fields.commandTopic("command_topic", "command_template")
        stateTopics = [fields.stateTopic("state_topic", "value_template")].compactMap(\.self)
        var payloads: [Verb: String] = [:]
        if commandTopic != nil {
            payloads[.lock] = fields.text("payload_lock", else: "LOCK")
            payloads[.unlock] = fields.text("payload_unlock", else: "UNLOCK")
            payloads[.open] = fields.text("payload_open")
        }
        self.payloads = payloads
        verbs = Set(payloads.keys)
        codeFormat = fields.text("code_format").map(CodeFormat.init)
        staticAttributes = StaticAttributes(["code_format": codeFormat.map { .string(String($0.expression.prefix(255))) }])
        vocabulary = StateVocabulary(
            [
                (fields.text("state_locked", else: "LOCKED"), "locked"),
                (fields.text("state_unlocked", else: "UNLOCKED"), "unlocked"),
                (fields.text("state_locking", else: "LOCKING"), "locking"),
                (fields.text("state_unlocking", else: "UNLOCKING"), "unlocking"),
                (fields.text("state_jammed", else: "JAMMED"), "jammed"),
                (fields.text("state_open", else: "OPEN"), "open"),
                (fields.text("state_opening", else: "OPENING"), "opening"),
            ], reset: fields.text("payload_reset"))
        if let codeFormat, codeFormat.accepts(nil) == nil {
            fields.addNotice(
                "code_format \(PayloadText.quoted(codeFormat.expression)) is not understood, so this lock is sent nothing: "
                    + "change it on the device to a regular expression such as “^\\d{4}$”.")
        }
    }

    var commandTopics: Set<String> { Set([commandTopic].compactMap { $0?.topic }) }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        guard let word = stateTopics.first?.text(in: message).flatMap(vocabulary.meaning) else { return nil }
        var next = EntityState(word, attributes: state.attributes)
        staticAttributes.apply(to: &next.attributes)
        return next
    }

    /// Every command of a lock with a form for codes, unless none is of that form too.
    func needsCode(_ verb: Verb) -> Bool { payloads[verb] != nil && codeFormat.map { $0.accepts(nil) != true } ?? false }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        guard let payload = payloads[verb] else { return nil }
        if let codeFormat, codeFormat.accepts(code) != true { return nil }
        return commandTopic?.commandMessage(.text(payload), ["code": code.map(CommandArgument.text) ?? .null]).map { [$0] }
    }
}

/// The form of a lock's code: a regular expression that its beginning fits.
struct CodeFormat: Hashable, Sendable {
    let expression: String

    init(_ expression: String) {
        self.expression = expression
    }

    /// The bounded regular expressions of templates.
    private static let match = try? Template("{{ value | regex_match(form) }}")

    /// A missing code is an empty one. Nil if the expression is not understood.
    func accepts(_ code: String?) -> Bool? {
        let variables: [String: JSONValue] = ["value": .string(code ?? ""), "form": .string(expression)]
        guard let result = try? Self.match?.render(variables, at: .distantPast, in: .gmt) else { return nil }
        return result == "True"
    }
}
