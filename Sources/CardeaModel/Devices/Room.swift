/// A room of the house.
public struct Room: Hashable, Sendable {
    public let id: String
    public var traits: RoomTraits
    /// Rises with every change.
    public var version: Int

    public var name: String { traits.name }

    public init(id: String, traits: RoomTraits, version: Int = 1) {
        self.id = id
        self.traits = traits
        self.version = version
    }

    public init(id: String, name: String) {
        self.init(id: id, traits: RoomTraits(name: name))
    }
}
