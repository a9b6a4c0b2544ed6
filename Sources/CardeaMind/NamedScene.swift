import CardeaModel
import Foundation

/// A scene with the names used in questions.
public struct NamedScene: Hashable, Sendable {
    public let id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
