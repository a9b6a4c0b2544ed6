import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// `/api/v1/house`, `/devices` and `/commands`: what is there, how it stands, and moving it.
struct DevicesHarness: Sendable {
    let hub: Hub
    let address: PublicAddress
    let wire: DeviceWire
    /// The count of changes begins anew with every start; this keeps one start's tags from another's.
    let start = String(UInt64.random(in: .min ... .max), radix: 36)

    func add(to table: RouteTable) {
        table.person(.get, "/api/v1/house", house)
        table.person(.get, "/api/v1/devices", list)
        table.person(.get, "/api/v1/devices/{id}", show)
        table.person(.patch, "/api/v1/devices/{id}", edit)
        table.person(.put, "/api/v1/devices/{id}/control", keepsItself: true, control)
        table.person(.post, "/api/v1/devices/batch-control", keepsItself: true, batchControl)
        table.person(.get, "/api/v1/commands/{id}", command)
        for (word, approve) in [("approve", true), ("reject", false)] {
            table.person(.post, "/api/v1/commands/{id}/\(word)") { request, context, principal in
                _ = try await request.bytes()
                let command = try await hub.commands.answer(try context.id(), approve: approve, by: principal, origin: context.origin)
                return try .encoding(CommandWire.answer(command))
            }
        }
    }

    private func house(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let facts = hub.house.now
        return try .encoding(
            HouseAnswer(
                houseID: facts.id, name: facts.name, timeZone: facts.timeZone.identifier, now: hub.surroundings.now(),
                publicURL: address.text, rooms: facts.rooms.map { RoomAnswer(roomID: $0.id, name: $0.name) }))
    }

    private func list(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.people.mustSeeDevices(principal)
        let filters = try DeviceFilters(request.uri.queryParameters)
        let (devices, revision) = hub.devices.all
        let tag = "\"\(start).\(revision).\(filters.tag)\""
        if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: [.eTag: tag]) }
        let rooms = hub.house.now.rooms
        let list =
            filters.applied.isEmpty
            ? try wire.whole(devices, revision: revision, rooms: rooms)
            : try wire.list(devices.filter { filters.fit($0, rooms: rooms) }, filters: filters.applied, rooms: rooms)
        var response = Response.json(list)
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    private func show(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.people.mustSeeDevices(principal)
        guard let device = hub.devices.device(try context.id()) else { throw CommandRefusal.deviceNotFound }
        return .json(try wire.one(device, rooms: hub.house.now.rooms))
    }

    private func edit(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(ChangeDeviceBody.self)
        let edit = Devices.Edit(
            name: body.name, roomID: body.roomID, isSecurityDevice: body.isSecurityDevice, isGuestAccessible: body.isGuestAccessible)
        let device = try await hub.devices.edit(try context.id(), edit, by: principal, origin: context.origin)
        return .json(try wire.one(device, rooms: hub.house.now.rooms))
    }

    private func control(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBytes()
        let body = try Wire.readBody(ControlBody.self, from: data)
        guard let verb = Verb(asked: body.action) else { throw CommandRefusal.unknownAction(body.action) }
        if let time = body.transitionTime, !(0...600_000).contains(time) {
            throw Problem.validation("transition_time", "is 0 to 600000 milliseconds")
        }
        let ask = CommandAsk(
            principal: principal, target: .device(id: try context.id(), entityID: body.entityID, verb: verb), value: body.value,
            transition: body.transitionTime.map { $0 / 1000 }, call: try request.callName(data), origin: context.origin)
        guard case .command(let command, let isReplay) = try await hub.commands.submit(ask) else { throw Problem.notFound }
        if request.headers[.prefer]?.contains("respond-async") == true, !command.status.isOver {
            return try .encoding(CommandWire.answer(command), status: .accepted, isReplay: isReplay)
        }
        return try CommandWire.outcome(try await hub.commands.outcome(of: command), isReplay: isReplay)
    }

    private func batchControl(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBytes()
        let body = try Wire.readBody(BatchControlBody.self, from: data)
        let batch = try await hub.batches.submit(
            body.devices.map(BatchWire.item), by: principal, call: try request.callName(data), origin: context.origin)
        return try await BatchWire.answer(batch, request, hub.batches)
    }

    private func command(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.people.mustSeeDevices(principal)
        guard let command = try await hub.commands.command(try context.id()) else { throw Problem.notFound }
        return try .encoding(CommandWire.answer(command))
    }
}

/// `?status=`, `?location=` and `?device_type=`.
struct DeviceFilters {
    let status: DeviceStatus?
    let location: String?
    let type: DeviceClass?

    init(_ query: FlatDictionary<Substring, Substring>) throws {
        status = try query["status"].map { text in
            guard let status = DeviceStatus(rawValue: String(text)) else {
                throw Problem.validation("status", "is online, offline, unknown or error")
            }
            return status
        }
        type = try query["device_type"].map { text in
            guard let type = DeviceClass(rawValue: String(text)) else {
                throw Problem.validation("device_type", "is not a class of devices")
            }
            return type
        }
        location = query["location"].map { String($0.prefix(128)) }
    }

    var applied: [String: String] {
        var applied: [String: String] = [:]
        applied["status"] = status?.rawValue
        applied["location"] = location
        applied["type"] = type?.rawValue
        return applied
    }

    /// Tells one selection from another in an entity tag.
    var tag: String {
        String(
            [status?.rawValue, location, type?.rawValue].map { $0 ?? "" }.joined(separator: "~").utf8.reduce(UInt64(5381)) {
                ($0 &* 33) ^ UInt64($1)
            }, radix: 36)
    }

    func fit(_ device: Device, rooms: [Room]) -> Bool {
        if let status, device.status != status { return false }
        if let type, device.deviceClass != type { return false }
        guard let location else { return true }
        return device.roomID == location || rooms.contains { $0.id == device.roomID && $0.name.lowercased() == location.lowercased() }
    }
}
