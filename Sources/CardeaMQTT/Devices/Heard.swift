import CardeaModel

/// One message, read at most once as JSON however many entities share it.
final class Heard {
    let topic: String
    private let payload: [UInt8]
    /// Nil when it is not text.
    let text: String?
    private(set) lazy var json: JSONValue? = JSONValue.read(payload)

    init(topic: String, payload: [UInt8]) {
        self.topic = topic
        self.payload = payload
        text = String(validating: payload, as: UTF8.self)
    }
}

/// Where something is told: a topic, and how to read it.
struct Reading: Hashable, Sendable {
    let topic: String
    var template = ValueTemplate.plain

    /// What `heard` says about it; nil for another topic, or for nothing.
    func text(in heard: Heard) -> String? {
        guard heard.topic == topic, let text = template.text(in: heard), !text.isEmpty else { return nil }
        return text
    }

    func number(in heard: Heard) -> Double? {
        guard heard.topic == topic else { return nil }
        return Text.number(template.value(in: heard))
    }

    /// A list of numbers: `12,50` or a JSON list.
    func numbers(in heard: Heard) -> [Double]? {
        guard heard.topic == topic, let value = template.value(in: heard) else { return nil }
        if case .array(let items) = value { return items.compactMap { Text.number($0) } }
        return value.string?.split(separator: ",").compactMap { Text.number(String($0)) }
    }
}

/// One message to a device.
struct Telegram: Hashable, Sendable {
    let topic: String
    let payload: String
}
