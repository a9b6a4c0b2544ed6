import CardeaModel
import CardeaTemplates
import Foundation

/// How a message is read: as it is, or through the template of its announcement.
struct ValueTemplate: Hashable, Sendable {
    private let template: Template?

    /// The message as it is.
    static let plain = ValueTemplate()

    private init() { template = nil }

    init(_ text: String) throws(TemplateError) {
        template = try Template(text)
    }

    /// What the message says; nil where it says nothing, as where a template asks for a value that is not in it.
    func text(in heard: Heard) -> String? {
        guard let template else { return heard.text }
        return try? template.render(heard.variables, at: heard.at, in: .current)
    }
}
