import CardeaModel
import Foundation

/// A camera or a bell, as far as somebody asks for it.
public struct NamedCamera: Hashable, Sendable {
    /// What its sightings are told under.
    public let id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
