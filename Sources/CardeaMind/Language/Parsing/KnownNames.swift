import CardeaModel
import Foundation

/// The names in a house that the requester may know.
public struct KnownNames: Hashable, Sendable {
    public var rooms: [String]
    public var devices: [String]
    public var people: [String]
    public var scenes: [String]

    /// The most names of each kind. A language model reads a longer list badly.
    static let limit = 150

    public init(rooms: [String], devices: [String], people: [String], scenes: [String]) {
        self.rooms = rooms
        self.devices = devices
        self.people = people
        self.scenes = scenes
    }

    init(_ house: HouseSnapshot) {
        func names(_ all: [String]) -> [String] { Array(all.prefix(Self.limit)) }
        rooms = names(house.rooms.map(\.name))
        devices = names(house.devices.map(\.name) + house.cameras.map(\.name))
        people = names(house.people.map(\.name) + house.guests.map(\.name))
        scenes = names(house.scenes.map(\.name))
    }
}
