import CardeaModel
import Foundation

/// Somebody who lives in the house, or is let in for a while.
public struct Inhabitant: Hashable, Sendable {
    /// `person:{id}` or `guest:{id}`.
    public let key: String
    public var name: String
    /// Nil where nothing tells of it.
    public var isHome: Bool?

    public init(key: String, name: String, isHome: Bool? = nil) {
        self.key = key
        self.name = name
        self.isHome = isHome
    }
}
