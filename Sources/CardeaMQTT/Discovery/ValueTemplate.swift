import CardeaModel
import CardeaTemplates
import Foundation

/// How a message is read: as it is, or through the template of its announcement.
struct ValueTemplate: Hashable, Sendable {
    private let template: Template?
    /// Values of the announcement that the template may use, such as the ends of a cover's range.
    private let constants: [String: JSONValue]

    /// The message as it is.
    static let plain = ValueTemplate()

    private init() {
        template = nil
        constants = [:]
    }

    init(_ text: String, constants: [String: JSONValue] = [:]) throws(TemplateError) {
        template = try Template(text)
        self.constants = constants
    }

    /// What the message says; nil where it says nothing, as where a template asks for a value that is not in it.
    func text(in heard: Heard) -> String? {
        try? render(heard)
    }

    /// The same, with the reason why a template makes no text of the message.
    func render(_ heard: Heard) throws(TemplateError) -> String? {
        guard let template else { return heard.text }
        guard !constants.isEmpty else { return try template.render(heard.variables, at: heard.at, in: .current) }
        var variables = heard.variables
        for (name, value) in constants { variables[name] = value }
        return try template.render(variables, at: heard.at, in: .current)
    }
}
