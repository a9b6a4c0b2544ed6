import CardeaAPI
import Foundation

/// The rooms of the house.
public struct Rooms: Sendable {
    let caller: Caller

    /// In the order in which people walk through them.
    public func list() async throws(ClientError) -> RoomsAnswer {
        try await caller.read(.get("api", "v1", "rooms"))
    }

    public func one(_ id: String) async throws(ClientError) -> RoomDescriptionAnswer {
        try await caller.read(.get("api", "v1", "rooms", id))
    }

    /// Gives a room another name, and leaves everything else about it as it is.
    ///
    /// Refused as a conflict where somebody changed the room between the reading and the writing.
    public func rename(_ id: String, to name: String) async throws(ClientError) -> RoomDescriptionAnswer {
        let room = try await one(id)
        var call = try Call.write(.put, ["api", "v1", "rooms", id], RoomBody(room, named: name), key: caller.newKey)
        call.seen = room.version
        return try await caller.read(call)
    }
}

extension RoomBody {
    /// The room as it is, under another name.
    init(_ room: RoomDescriptionAnswer, named name: String) {
        self.init(name: name)
        roomType = room.roomType
        floor = room.floor
        squareFootage = room.squareFootage
        ceilingHeight = room.ceilingHeight
        windowCount = room.windowCount
        doorCount = room.doorCount
        preferredTemperature = room.preferredTemperature
        preferredHumidity = room.preferredHumidity
        lightingPreferences = room.lightingPreferences
        activities = room.activities
    }
}
