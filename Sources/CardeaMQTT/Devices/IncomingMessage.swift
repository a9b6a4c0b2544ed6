import CardeaModel
import CardeaTemplates
import Foundation

/// One message, read at most once as JSON however many entities share it.
final class IncomingMessage {
    let topic: String
    let at: Date
    /// The broker kept the message: it is about a time that nobody knows.
    let isRetained: Bool
    let payload: [UInt8]
    /// The state of the entity that reads the message: `this` in a template.
    var entity = EntityState()
    /// The id of that entity: `entity_id` in a template.
    var entityID = ""
    /// Nil when it is not text.
    let text: String?
    private(set) lazy var json: JSONValue? = JSONValue.read(payload)
    /// The variables of templates: `value`, and `value_json` where the message is JSON.
    private(set) lazy var variables: TemplateVariables = {
        var variables = TemplateVariables()
        variables["value"] = text.map(JSONValue.string)
        _ = variables.read(json: payload, as: "value_json")
        return variables
    }()

    init(topic: String, payload: [UInt8], at: Date = Date(timeIntervalSince1970: 0), isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.at = at
        self.isRetained = isRetained
        text = String(validating: payload, as: UTF8.self)
    }
}

/// A topic on which a device tells something, and how it is read.
struct StateTopic: Hashable, Sendable {
    let topic: String
    var template = ValueTemplate.plain

    /// The text in `heard`; nil for another topic, or for an empty text.
    ///
    /// A template that asks for a value which is not in the message leaves the message as it is, as in Home Assistant: a device that says
    /// a plain `online` is read by a template that expects JSON.
    func text(in heard: IncomingMessage) -> String? {
        guard heard.topic == topic else { return nil }
        let text: String?
        do { text = try template.render(heard) } catch .undefined { text = heard.text } catch { text = nil }
        return text?.isEmpty == false ? text : nil
    }

    /// The text in `heard`, which may be empty; nil for another topic, and where the template asks for a value that is not in the message.
    func strictText(in heard: IncomingMessage) -> String? {
        heard.topic == topic ? template.text(in: heard) : nil
    }

    func number(in heard: IncomingMessage) -> Double? {
        text(in: heard).flatMap(PythonNumber.finite)
    }
}

/// One message to a device.
struct CommandMessage: Hashable, Sendable {
    let topic: String
    let payload: String
}
