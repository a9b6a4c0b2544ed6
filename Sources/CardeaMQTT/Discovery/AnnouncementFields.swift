import CardeaModel
import CardeaTemplates

/// The members of one announcement, with long names and whole topics, and what could not be served of them.
struct AnnouncementFields {
    private let members: [String: JSONValue]
    /// Plain sentences for the person who looks after the house.
    private(set) var notices: [String] = []

    init(_ members: [String: JSONValue]) {
        self.members = members
    }

    /// A text, also if the device wrote a number or a truth.
    func text(_ key: String) -> String? { PayloadText.write(members[key] == .null ? nil : members[key]) }

    func text(_ key: String, else fallback: String) -> String { text(key) ?? fallback }

    func number(_ key: String) -> Double? { PayloadText.number(members[key]) }

    func flag(_ key: String) -> Bool? {
        switch members[key] {
        case .bool(let flag)?: return flag
        case .string(let text)?: return ["true", "on", "yes", "1", "enable"].contains(text.lowercased())
        case .number(let number)?: return number != 0
        default: return nil
        }
    }

    func texts(_ key: String) -> [String] {
        switch members[key] {
        case .array(let items)?: return items.compactMap { PayloadText.write($0) }
        case let value?: return PayloadText.write(value == .null ? nil : value).map { [$0] } ?? []
        case nil: return []
        }
    }

    func list(_ key: String) -> [JSONValue] {
        if case .array(let items)? = members[key] { items } else { [] }
    }

    /// One object, or a list of them.
    func objects(_ key: String) -> [[String: JSONValue]] {
        if let one = object(key) { return [one] }
        return list(key).compactMap { if case .object(let object) = $0 { object } else { nil } }
    }

    func object(_ key: String) -> [String: JSONValue]? {
        if case .object(let object)? = members[key] { object } else { nil }
    }

    func has(_ key: String) -> Bool { members[key].map { $0 != .null } ?? false }

    /// Written down, and null: the device says that it has none.
    func isNull(_ key: String) -> Bool { members[key] == .null }

    mutating func addNotice(_ sentence: String) {
        if notices.count < 8, !notices.contains(sentence) { notices.append(sentence) }
    }

    /// Returns the topic of a state and its format. Nil if there is no topic, or if the template is not supported, which is noted.
    ///
    /// - Parameter constants: values of the announcement that the template may use.
    mutating func stateTopic(_ key: String, _ templates: String..., constants: [String: JSONValue] = [:]) -> StateTopic? {
        guard let topic = topic(key, where: TopicRules.isPlain) else { return nil }
        guard let name = templates.first(where: has), let template = text(name) else { return StateTopic(topic: topic) }
        if template.isEmpty { return StateTopic(topic: topic) }
        var constants = constants
        if template.contains("name") { constants["name"] = ownName }
        do { return StateTopic(topic: topic, template: try ValueTemplate(template, constants: constants)) } catch {
            addNotice("\(name) \(PayloadText.quoted(template)) is not supported, so its state is not read: \(error). \(Self.remedy)")
            return nil
        }
    }

    /// Returns a command topic and its format. Nil if there is none, which is noted if the announcement has one that is not supported.
    mutating func commandTopic(_ key: String, _ templates: String...) -> CommandTopic? {
        guard let topic = topic(key, where: TopicRules.isForCommands) else { return nil }
        guard let name = templates.first(where: has), let template = text(name), !template.isEmpty else {
            return CommandTopic(topic: topic)
        }
        do { return CommandTopic(topic: topic, template: try Template(template), name: ownName) } catch {
            addNotice("\(name) \(PayloadText.quoted(template)) is not supported, so it sends no commands: \(error). \(Self.remedy)")
            return nil
        }
    }

    /// The entity's own name, for its templates.
    private var ownName: JSONValue { text("name").map(JSONValue.string) ?? .null }

    private static let remedy = "Change the template on the device, or send its announcement with a bug report."

    private mutating func topic(_ key: String, where isFit: (String) -> Bool) -> String? {
        guard let topic = text(key), !topic.isEmpty else { return nil }
        guard isFit(topic) else {
            addNotice("\(key) \(PayloadText.quoted(topic)) is not a valid topic.")
            return nil
        }
        return topic
    }
}
