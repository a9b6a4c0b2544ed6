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
    func text(in heard: IncomingMessage) -> String? {
        try? render(heard)
    }

    /// The same, with the reason why a template makes no text of the message.
    func render(_ heard: IncomingMessage) throws(TemplateError) -> String? {
        guard let template else { return heard.text }
        guard !constants.isEmpty || usesEntity else { return try template.render(heard.variables, at: heard.at, in: .current) }
        var variables = heard.variables
        for (name, value) in constants { variables[name] = value }
        if usesEntity {
            variables["entity_id"] = .string(heard.entityID)
            variables["this"] = [
                "entity_id": .string(heard.entityID), "state": .string(heard.entity.value), "attributes": .object(heard.entity.attributes),
            ]
        }
        return try template.render(variables, at: heard.at, in: .current)
    }
}
