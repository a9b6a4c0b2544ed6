import CardeaModel
import Foundation

/// A person who lives in the house, or a guest.
public struct Inhabitant: Hashable, Sendable {
    /// `person:{id}` or `guest:{id}`.
    public let key: String
    public var name: String
    /// Nil if not known.
    public var isHome: Bool?

    public init(key: String, name: String, isHome: Bool? = nil) {
        self.key = key
        self.name = name
        self.isHome = isHome
    }
}
