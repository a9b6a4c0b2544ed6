import CardeaAPI
import Foundation

/// A segment of a path: a fixed word of the protocol, or an id.
struct PathSegment: Hashable, Sendable, ExpressibleByStringLiteral {
    let text: String
    /// The segment as in the protocol's description and in metrics, without ids.
    let template: String

    init(stringLiteral word: String) {
        text = word
        template = word
    }

    init(text: String, template: String) {
        self.text = text
        self.template = template
    }

    static func id(_ id: String) -> PathSegment { PathSegment(text: id, template: "{id}") }

    /// A fixed word of the protocol.
    static func fixed(_ word: String) -> PathSegment { PathSegment(text: word, template: word) }
}
