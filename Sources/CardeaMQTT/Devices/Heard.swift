import CardeaModel
import CardeaTemplates
import Foundation

/// One message, read at most once as JSON however many entities share it.
final class Heard {
    let topic: String
    let at: Date
    private let payload: [UInt8]
    /// Nil when it is not text.
    let text: String?
    private(set) lazy var json: JSONValue? = JSONValue.read(payload)
    /// What a template may use: `value`, and `value_json` where it is JSON.
    private(set) lazy var variables: TemplateVariables = {
        var variables = TemplateVariables()
        variables["value"] = text.map(JSONValue.string)
        _ = variables.read(json: payload, as: "value_json")
        return variables
    }()

    init(topic: String, payload: [UInt8], at: Date = Date(timeIntervalSince1970: 0)) {
        self.topic = topic
        self.payload = payload
        self.at = at
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
        text(in: heard).flatMap(Text.number)
    }

    /// A list of numbers: `12,50` or `[12, 50]`.
    func numbers(in heard: Heard) -> [Double]? {
        text(in: heard)?.trimmingCharacters(in: CharacterSet(charactersIn: "[]() ")).split(separator: ",")
            .compactMap { Text.number(String($0)) }
    }
}

/// One message to a device.
struct Telegram: Hashable, Sendable {
    let topic: String
    let payload: String
}
