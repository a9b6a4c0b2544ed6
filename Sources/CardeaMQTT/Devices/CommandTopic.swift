import CardeaModel
import CardeaTemplates
import Foundation

/// A topic on which a device is told something, and the form in which it wants it.
struct CommandTopic: Hashable, Sendable {
    let topic: String
    /// Nil where the plain value is sent.
    var template: Template?
    /// The entity's name, which the template may use.
    var name: JSONValue?

    /// The message that tells `value`; nil where its template does not take it.
    ///
    /// - Parameter variables: what the template may use beside `value`.
    func commandMessage(_ value: CommandArgument, _ variables: [String: CommandArgument] = [:]) -> CommandMessage? {
        guard let template else { return CommandMessage(topic: topic, payload: value.text) }
        var known = TemplateVariables()
        known["name"] = name
        known.set("value", to: value)
        for (name, argument) in variables { known.set(name, to: argument) }
        guard let payload = try? template.render(known, at: Date(), in: .current) else { return nil }
        return CommandMessage(topic: topic, payload: payload)
    }
}
