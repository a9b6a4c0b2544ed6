import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/house` and `/api/v1/rooms`: the house, its preferences, and its rooms.
struct RoomsController: Sendable {
    let hub: Hub
    let address: CurrentPublicURL

    func addRoutes(to table: RouteTable) {
        table.person(.showHouse, house)
        table.person(.changeHouse, changeHouse)
        table.person(.listRooms, list)
        table.person(.addRoom, keepsItself: true, add)
        table.person(.showRoom, show)
        table.person(.replaceRoom, replace)
        table.person(.removeRoom, remove)
    }

    // MARK: The house

    private func house(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let facts = hub.house.current
        return try answer(facts, all: try await hub.people.seesDevices(principal)).withETag(facts.version)
    }

    private func changeHouse(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ChangeHouseBody.self)
        let facts = try await hub.house.change(
            body.applied(to:), name: body.name, timeZone: body.timeZone, seen: try request.expectedVersion(), by: principal,
            origin: context.origin,
            at: hub.environment.now())
        return try answer(facts, all: true).withETag(facts.version)
    }

    private func answer(_ facts: House.Facts, all: Bool) throws -> Response {
        try .encoding(
            HouseAnswer(
                houseID: facts.id, name: facts.name, timeZone: facts.timeZone.identifier, now: hub.environment.now(),
                publicURL: address.text, rooms: facts.rooms.map { RoomAnswer(roomID: $0.id, name: $0.name) },
                numberOfFloors: facts.preferences.floors, capabilities: all ? capabilities : nil,
                preferences: all ? HousePreferencesBody(facts.preferences) : nil,
                asksAnsweredBy: all ? facts.preferences.asksAnsweredBy : nil, version: facts.version))
    }

    /// The capabilities that at least one device of the house has.
    private var capabilities: [String] {
        hub.devices.all.devices.reduce(into: Set<String>()) { $0.formUnion($1.features) }.sorted()
    }

    // MARK: Rooms

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(RoomsAnswer(rooms: try await hub.rooms.all(seenBy: principal).map(RoomDescriptionAnswer.init)))
    }

    private func add(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(RoomBody.self, from: data)
        let (room, isReplay) = try await hub.rooms.add(
            body.traits, position: body.position, by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        return try .encoding(RoomDescriptionAnswer(room), status: .created, isReplay: isReplay).withETag(room.version)
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let room = try await hub.rooms.one(try context.id(), seenBy: principal)
        if request.hasCached(version: room.version) { return .notModified(room.version) }
        return try .encoding(RoomDescriptionAnswer(room)).withETag(room.version)
    }

    private func replace(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(RoomBody.self)
        let room = try await hub.rooms.replace(
            try context.id(), with: body.traits, position: body.position, seen: try request.expectedVersion(), by: principal,
            origin: context.origin)
        return try .encoding(RoomDescriptionAnswer(room)).withETag(room.version)
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.rooms.remove(try context.id(), seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return .noContent
    }
}
