import CardeaModel
import CardeaTemplates
import Foundation

/// A topic on which a device reports, and how its payload is read.
struct StateTopic: Hashable, Sendable {
    let topic: String
    var template = ValueTemplate.plain

    /// Returns the text in `heard`; nil for another topic, or for an empty text.
    ///
    /// If a template asks for a value that is not in the message, the message counts unchanged, as in Home Assistant: a plain `online` can
    /// be read by a template that expects JSON.
    func text(in message: IncomingMessage) -> String? {
        guard message.topic == topic else { return nil }
        let text: String?
        do { text = try template.render(message) } catch .undefined { text = message.text } catch { text = nil }
        return text?.isEmpty == false ? text : nil
    }

    /// Returns the text in `heard`, which may be empty; nil for another topic, and if the template asks for a value that is not in the
    /// message.
    func strictText(in message: IncomingMessage) -> String? {
        message.topic == topic ? template.text(in: message) : nil
    }
}
