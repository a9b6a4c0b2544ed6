import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// `/api/v1/devices` and `/commands`: the devices, their state, and their commands.
struct DevicesController: Sendable {
    let hub: Hub
    let encoder: CachedDeviceEncoder
    /// The second form, for clients that name it in `Accept`.
    let sourceEncoder: CachedDeviceEncoder
    /// The change count restarts with every start of the hub; this distinguishes the tags of each start.
    let startID = String(UInt64.random(in: .min ... .max), radix: 36)

    func addRoutes(to table: RouteTable) {
        table.person(.listDevices, list)
        table.person(.showDevice, show)
        table.person(.changeDevice, edit)
        table.person(.removeDevice, remove)
        addWayInRoutes(to: table)
        table.person(.mergeDevices, merge)
        table.person(.replaceDoor, replace)
        table.person(.listReplaceable, replaceable)
        table.person(.controlDevice, keepsItself: true, control)
        table.person(.controlDevices, keepsItself: true, batchControl)
        table.person(.showCommand, command)
        for (route, approve) in [(Route.approveCommand, true), (.rejectCommand, false)] {
            table.person(route) { request, context, principal in
                _ = try await request.bodyData()
                let command = try await hub.commands.decide(try context.id(), approve: approve, by: principal, origin: context.origin)
                return try .encoding(CommandResponses.answer(command))
            }
        }
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let viewer = try await hub.visibilityFilter.requireVisibility(principal, isLocal: context.origin.isLocal)
        let form = request.deviceFormat
        let wire = deviceEncoder(of: form)
        if form == .source { try DeviceQuery.rejectUnknownParameters(request.uri.queryParameters) }
        let query = try DeviceQuery(request.uri.queryParameters)
        let (devices, revision) = hub.devices.all
        let tag =
            "\"\(startID).\(revision).\(query.fingerprint)\(viewer.seesWholeDevices ? "" : ".\(principal.key)")\(form.entityTagSuffix)\""
        if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: [.eTag: tag]).withDeviceFormat(form) }
        let rooms = hub.house.rooms
        let list =
            query.isUnfiltered && viewer.seesWholeDevices
            ? try wire.encodeAll(devices, revision: revision, rooms: rooms)
            : try wire.encodeList(
                devices.compactMap(viewer.filtered).filter { query.filter.matches($0, rooms: rooms) }, areWhole: viewer.seesWholeDevices,
                query: query, rooms: rooms)
        var response = Response.json(list).withDeviceFormat(form)
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let viewer = try await hub.visibilityFilter.requireVisibility(principal, isLocal: context.origin.isLocal)
        guard let device = hub.devices.device(try context.id()).flatMap(viewer.filtered) else { throw CommandRefusal.deviceNotFound }
        let form = request.deviceFormat
        if form == .source { try DeviceQuery.rejectUnknownParameters(request.uri.queryParameters, of: []) }
        let tag = device.entityTag + form.entityTagSuffix
        if request.hasCached(version: tag) { return .notModified(tag).withDeviceFormat(form) }
        return .json(try deviceEncoder(of: form).encode(device, isWhole: viewer.seesWholeDevices, rooms: hub.house.rooms)).withETag(tag)
            .withDeviceFormat(form)
    }

    private func deviceEncoder(of form: DeviceFormat) -> CachedDeviceEncoder {
        switch form {
        case .house: encoder
        case .source: sourceEncoder
        }
    }

    private func edit(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ChangeDeviceBody.self)
        let edit = Devices.Edit(
            name: body.name, description: body.description.map { $0.wrappedValue ?? "" },
            room: body.room.map { $0.wrappedValue.map(Devices.Edit.RoomChoice.room) ?? .none },
            isSecurityDevice: body.isSecurityDevice, isGuestAccessible: body.isGuestAccessible)
        let device = try await hub.devices.edit(
            try context.id(), edit, seen: try request.expectedVersion(isDotted: true), by: principal, origin: context.origin)
        return .json(try encoder.encode(device, rooms: hub.house.rooms)).withETag(device.entityTag)
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.devices.remove(
            try context.id(), seen: try request.expectedVersion(isDotted: true), by: principal, origin: context.origin)
        return .noContent
    }

    private func control(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let (command, isReplay) = try await Self.submit(request, context, principal, to: hub)
        return try await CommandResponses.answer(command, isReplay: isReplay, request, hub.commands)
    }

    /// Submits the command of the body to the device of the path.
    static func submit(
        _ request: Request, _ context: HubRequestContext, _ principal: Principal, to hub: Hub
    ) async throws -> (command: Command, isReplay: Bool) {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(ControlBody.self, from: data)
        guard let verb = Verb(requested: body.action) else { throw CommandRefusal.unknownAction(body.action) }
        if let time = body.transitionTime, !(0...600_000).contains(time) {
            throw APIResponseError.validation("transition_time", "must be from 0 to 600000 milliseconds")
        }
        let commandRequest = CommandRequest(
            principal: principal, target: .device(id: try context.id(), entityID: body.entityID, verb: verb), value: body.value,
            transition: body.transitionTime.map { $0 / 1000 }, idempotencyKey: try request.idempotencyKey(data), origin: context.origin)
        guard case .command(let command, let isReplay) = try await hub.commands.submit(commandRequest) else {
            throw APIResponseError.notFound
        }
        return (command, isReplay)
    }

    private func batchControl(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await Self.submitBatch(request, context, principal, to: hub)
    }

    static func submitBatch(_ request: Request, _ context: HubRequestContext, _ principal: Principal, to hub: Hub) async throws -> Response
    {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(BatchControlBody.self, from: data)
        let batch = try await hub.batches.submit(
            body.devices.map(BatchResponses.item), by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        return try await BatchResponses.answer(batch, request, hub.batches)
    }

    private func command(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.visibilityFilter.requireVisibility(principal, isLocal: context.origin.isLocal)
        guard let command = try await hub.commands.command(try context.id(), seenBy: principal) else { throw APIResponseError.notFound }
        return try .encoding(CommandResponses.answer(command))
    }
}

extension DeviceFormat {
    /// Names the form in an entity tag. `If-Match` compares only the part before it.
    fileprivate var entityTagSuffix: String {
        switch self {
        case .house: ""
        case .source: ".c11s"
        }
    }
}
