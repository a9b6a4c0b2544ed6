import CardeaModel
import CardeaTemplates
import Foundation

/// Reads a message: unchanged, or through the template of its announcement.
struct ValueTemplate: Hashable, Sendable {
    private let template: Template?
    /// Values of the announcement that the template may use, such as the ends of a cover's range.
    private let constants: [String: JSONValue]
    /// The template asks for the state or the id of its entity.
    private let usesEntity: Bool

    /// Reads the message unchanged.
    static let plain = ValueTemplate()

    private init() {
        template = nil
        constants = [:]
        usesEntity = false
    }

    init(_ text: String, constants: [String: JSONValue] = [:]) throws(TemplateError) {
        template = try Template(text)
        self.constants = constants
        usesEntity = text.contains("this") || text.contains("entity_id")
    }

    /// Returns the rendered text; nil if the template cannot be rendered, for example because it asks for a value that is not in the
    /// message.
    func text(in message: IncomingMessage) -> String? {
        try? render(message)
    }

    /// The same, with the reason why a template makes no text of the message.
    func render(_ message: IncomingMessage) throws(TemplateError) -> String? {
        guard let template else { return message.text }
        guard !constants.isEmpty || usesEntity else { return try template.render(message.variables, at: message.at, in: .current) }
        var variables = message.variables
        for (name, value) in constants { variables[name] = value }
        if usesEntity {
            variables["entity_id"] = .string(message.entityID)
            variables["this"] = [
                "entity_id": .string(message.entityID), "state": .string(message.entity.value),
                "attributes": .object(message.entity.attributes),
            ]
        }
        return try template.render(variables, at: message.at, in: .current)
    }
}
