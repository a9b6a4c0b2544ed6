import CardeaAPI
import Foundation

/// The rooms of the house.
public struct Rooms: Sendable {
    let caller: AuthenticatedClient

    /// In the order in which people walk through them.
    public func list() async throws(ClientError) -> RoomsAnswer {
        try await caller.read(.get("api", "v1", "rooms"))
    }

    public func get(_ id: String) async throws(ClientError) -> RoomDescriptionAnswer {
        try await caller.read(.get("api", "v1", "rooms", .id(id)))
    }

    public func add(_ body: RoomBody) async throws(ClientError) -> RoomDescriptionAnswer {
        try await caller.read(.write(.post, ["api", "v1", "rooms"], body, key: caller.newIdempotencyKey))
    }

    /// Renames a room and leaves everything else about it as it is.
    ///
    /// Refused as a conflict if the room was changed between reading and writing.
    public func rename(_ id: String, to name: String) async throws(ClientError) -> RoomDescriptionAnswer {
        let room = try await get(id)
        return try await replace(id, RoomBody(room, named: name), seen: room.version)
    }

    /// Replaces the description of a room.
    ///
    /// - Parameters:
    ///   - seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    ///   - key: the idempotency key, if the call may have been sent before.
    public func replace(
        _ id: String, _ body: RoomBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> RoomDescriptionAnswer {
        var call = try APICall.write(.put, ["api", "v1", "rooms", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }
}

extension RoomBody {
    /// The room as it is, under another name.
    public init(_ room: RoomDescriptionAnswer, named name: String) {
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
