import CardeaModel
import Foundation

/// A camera or doorbell with the names used in questions.
public struct NamedCamera: Hashable, Sendable {
    /// The id under which its sightings are reported.
    public let id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
