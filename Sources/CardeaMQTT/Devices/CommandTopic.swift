import CardeaModel
import CardeaTemplates
import Foundation

/// A topic for commands to a device, and the format of the payload.
struct CommandTopic: Hashable, Sendable {
    let topic: String
    /// Nil if the plain value is sent.
    var template: Template?
    /// The entity's name, which the template may use.
    var name: JSONValue?

    /// Returns the message for `value`; nil if the template does not accept it.
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
