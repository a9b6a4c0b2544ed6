import CardeaModel
import CardeaTemplates
import Foundation

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
}
