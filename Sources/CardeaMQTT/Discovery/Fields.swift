import CardeaModel

/// The members of one announcement, with long names and whole topics, and what could not be served of them.
struct Fields {
    private let members: [String: JSONValue]
    /// Plain sentences for the person who looks after the house.
    private(set) var notices: [String] = []

    init(_ members: [String: JSONValue]) {
        self.members = members
    }

    /// A text, also where the device wrote a number or a truth.
    func text(_ key: String) -> String? { Text.write(members[key] == .null ? nil : members[key]) }

    func text(_ key: String, else fallback: String) -> String { text(key) ?? fallback }

    func number(_ key: String) -> Double? { Text.number(members[key]) }

    func flag(_ key: String) -> Bool? {
        switch members[key] {
        case .bool(let flag)?: return flag
        case .string(let text)?: return ["true", "on", "yes", "1"].contains(text.lowercased())
        default: return nil
        }
    }

    func texts(_ key: String) -> [String] {
        switch members[key] {
        case .array(let items)?: return items.compactMap { Text.write($0) }
        case .string(let text)?: return [text]
        default: return []
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

    mutating func note(_ sentence: String) {
        if notices.count < 8, !notices.contains(sentence) { notices.append(sentence) }
    }

    /// Where and how something is told. Nil when it is not told, or in a way that is not read here, which is noted.
    mutating func reading(_ key: String, _ templates: String...) -> Reading? {
        guard let topic = topic(key, where: Topic.isPlain) else { return nil }
        guard let name = templates.first(where: has), let template = text(name) else { return Reading(topic: topic) }
        if template.isEmpty { return Reading(topic: topic) }
        guard let path = ValueTemplate(template) else {
            note("\(name) \(Text.quoted(template)) needs more than a JSON path, so what it tells is not read.")
            return nil
        }
        return Reading(topic: topic, template: path)
    }

    /// Where something is told to the device. Nil when it cannot be told, which is noted where the device wanted it.
    mutating func target(_ key: String, _ templates: String...) -> String? {
        guard let topic = topic(key, where: Topic.isForCommands) else { return nil }
        for name in templates {
            guard let template = text(name), !template.isEmpty, !CommandTemplate.isPlain(template) else { continue }
            note("\(name) \(Text.quoted(template)) is more than the plain value, so nothing is sent by it.")
            return nil
        }
        return topic
    }

    private mutating func topic(_ key: String, where isFit: (String) -> Bool) -> String? {
        guard let topic = text(key), !topic.isEmpty else { return nil }
        guard isFit(topic) else {
            note("\(key) \(Text.quoted(topic)) is no topic that is used here.")
            return nil
        }
        return topic
    }
}
