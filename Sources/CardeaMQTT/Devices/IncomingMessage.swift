import CardeaModel
import CardeaTemplates
import Foundation

/// One message, read at most once as JSON however many entities share it.
final class IncomingMessage {
    let topic: String
    let at: Date
    /// The broker retained the message: its time is unknown.
    let isRetained: Bool
    let payload: [UInt8]
    /// The state of the entity that reads the message: `this` in a template.
    var entity = EntityState()
    /// The id of that entity: `entity_id` in a template.
    var entityID = ""
    /// Nil when it is not text.
    let text: String?
    private(set) lazy var json: JSONValue? = JSONValue.read(payload)
    /// The variables of templates: `value`, and `value_json` if the message is JSON.
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
