import CardeaAPI
import Foundation

/// A part of a path: a word of the protocol, or the id of one thing.
struct PathSegment: Hashable, Sendable, ExpressibleByStringLiteral {
    let text: String
    /// As it stands in the description of the protocol, and in what is measured: there, nothing is named.
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

    /// A word of the protocol that the code chose.
    static func fixed(_ word: String) -> PathSegment { PathSegment(text: word, template: word) }
}
