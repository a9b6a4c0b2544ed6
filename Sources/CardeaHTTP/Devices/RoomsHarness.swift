import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/house` and `/api/v1/rooms`: the house, what it prefers, and its rooms.
struct RoomsHarness: Sendable {
    let hub: Hub
    let address: PublicAddress

    func add(to table: RouteTable) {
        table.person(.showHouse, house)
        table.person(.changeHouse, changeHouse)
        table.person(.listRooms, list)
        table.person(.addRoom, keepsItself: true, add)
        table.person(.showRoom, show)
        table.person(.replaceRoom, replace)
        table.person(.removeRoom, remove)
    }

    // MARK: The house

    private func house(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let facts = hub.house.now
        return try answer(facts, all: try await hub.people.seesDevices(principal)).tagged(facts.version)
    }

    private func changeHouse(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(ChangeHouseBody.self)
        let facts = try await hub.house.change(
            body.applied(to:), name: body.name, timeZone: body.timeZone, seen: try request.seen(), by: principal, origin: context.origin,
            at: hub.surroundings.now())
        return try answer(facts, all: true).tagged(facts.version)
    }

    private func answer(_ facts: House.Facts, all: Bool) throws -> Response {
        try .encoding(
            HouseAnswer(
                houseID: facts.id, name: facts.name, timeZone: facts.timeZone.identifier, now: hub.surroundings.now(),
                publicURL: address.text, rooms: facts.rooms.map { RoomAnswer(roomID: $0.id, name: $0.name) },
                numberOfFloors: facts.preferences.floors, capabilities: all ? capabilities : nil,
                preferences: all ? HousePreferencesBody(facts.preferences) : nil,
                asksAnsweredBy: all ? facts.preferences.asksAnsweredBy : nil, version: facts.version))
    }

    /// What some device of the house can do or tell.
    private var capabilities: [String] {
        hub.devices.all.devices.reduce(into: Set<String>()) { $0.formUnion($1.features) }.sorted()
    }

    // MARK: Rooms

    private func list(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try .encoding(RoomsAnswer(rooms: try await hub.rooms.all(seenBy: principal).map(RoomDescriptionAnswer.init)))
    }

    private func add(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBytes()
        let body = try Wire.readBody(RoomBody.self, from: data)
        let (room, isReplay) = try await hub.rooms.add(
            body.traits, position: body.position, by: principal, call: try request.callName(data), origin: context.origin)
        return try .encoding(RoomDescriptionAnswer(room), status: .created, isReplay: isReplay).tagged(room.version)
    }

    private func show(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let room = try await hub.rooms.one(try context.id(), seenBy: principal)
        if request.knows(version: room.version) { return .notModified(room.version) }
        return try .encoding(RoomDescriptionAnswer(room)).tagged(room.version)
    }

    private func replace(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(RoomBody.self)
        let room = try await hub.rooms.replace(
            try context.id(), with: body.traits, position: body.position, seen: try request.seen(), by: principal, origin: context.origin)
        return try .encoding(RoomDescriptionAnswer(room)).tagged(room.version)
    }

    private func remove(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.rooms.remove(try context.id(), seen: try request.seen(), by: principal, origin: context.origin)
        return .noContent
    }
}
