import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// `/api/v1/devices` and `/commands`: what is there, how it stands, and moving it.
struct DevicesHarness: Sendable {
    let hub: Hub
    let wire: DeviceWire
    /// The second form, for clients that name it in `Accept`.
    let source: DeviceWire
    /// The count of changes begins anew with every start; this keeps one start's tags from another's.
    let start = String(UInt64.random(in: .min ... .max), radix: 36)

    func add(to table: RouteTable) {
        table.person(.listDevices, list)
        table.person(.showDevice, show)
        table.person(.changeDevice, edit)
        table.person(.removeDevice, remove)
        addWaysIn(to: table)
        table.person(.mergeDevices, merge)
        table.person(.replaceDoor, replace)
        table.person(.listReplaceable, replaceable)
        table.person(.controlDevice, keepsItself: true, control)
        table.person(.controlDevices, keepsItself: true, batchControl)
        table.person(.showCommand, command)
        for (route, approve) in [(Route.approveCommand, true), (.rejectCommand, false)] {
            table.person(route) { request, context, principal in
                _ = try await request.bytes()
                let command = try await hub.commands.answer(try context.id(), approve: approve, by: principal, origin: context.origin)
                return try .encoding(CommandWire.answer(command))
            }
        }
    }

    private func list(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let viewer = try await hub.viewing.mustLook(principal, isLocal: context.origin.isLocal)
        let form = request.deviceForm
        let wire = encoder(of: form)
        if form == .source { try DevicesQuery.mustKnowAll(request.uri.queryParameters) }
        let query = try DevicesQuery(request.uri.queryParameters)
        let (devices, revision) = hub.devices.all
        let tag = "\"\(start).\(revision).\(query.tag)\(viewer.seesWholeDevices ? "" : ".\(principal.key)")\(form.tag)\""
        if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: [.eTag: tag]).formed(form) }
        let rooms = hub.house.rooms
        let list =
            query.isWhole && viewer.seesWholeDevices
            ? try wire.whole(devices, revision: revision, rooms: rooms)
            : try wire.list(
                devices.compactMap(viewer.view).filter { query.filter.fits($0, rooms: rooms) }, areWhole: viewer.seesWholeDevices,
                query: query, rooms: rooms)
        var response = Response.json(list).formed(form)
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    private func show(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let viewer = try await hub.viewing.mustLook(principal, isLocal: context.origin.isLocal)
        guard let device = hub.devices.device(try context.id()).flatMap(viewer.view) else { throw CommandRefusal.deviceNotFound }
        let form = request.deviceForm
        if form == .source { try DevicesQuery.mustKnowAll(request.uri.queryParameters, of: []) }
        let tag = device.tag + form.tag
        if request.knows(version: tag) { return .notModified(tag).formed(form) }
        return .json(try encoder(of: form).one(device, isWhole: viewer.seesWholeDevices, rooms: hub.house.rooms)).tagged(tag).formed(form)
    }

    private func encoder(of form: DeviceForm) -> DeviceWire {
        switch form {
        case .house: wire
        case .source: source
        }
    }

    private func edit(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(ChangeDeviceBody.self)
        let edit = Devices.Edit(
            name: body.name, description: body.description.map { $0.wrappedValue ?? "" },
            room: body.room.map { $0.wrappedValue.map(Devices.Edit.RoomChoice.room) ?? .none },
            isSecurityDevice: body.isSecurityDevice, isGuestAccessible: body.isGuestAccessible)
        let device = try await hub.devices.edit(
            try context.id(), edit, seen: try request.seen(isDotted: true), by: principal, origin: context.origin)
        return .json(try wire.one(device, rooms: hub.house.rooms)).tagged(device.tag)
    }

    private func remove(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.devices.remove(try context.id(), seen: try request.seen(isDotted: true), by: principal, origin: context.origin)
        return .noContent
    }

    private func control(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let (command, isReplay) = try await Self.submit(request, context, principal, to: hub)
        return try await CommandWire.answer(command, isReplay: isReplay, request, hub.commands)
    }

    /// Asks for what the body says of the device that the path names.
    static func submit(
        _ request: Request, _ context: HouseContext, _ principal: Principal, to hub: Hub
    ) async throws -> (command: Command, isReplay: Bool) {
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
        return (command, isReplay)
    }

    private func batchControl(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await Self.submitBatch(request, context, principal, to: hub)
    }

    static func submitBatch(_ request: Request, _ context: HouseContext, _ principal: Principal, to hub: Hub) async throws -> Response {
        let data = try await request.jsonBytes()
        let body = try Wire.readBody(BatchControlBody.self, from: data)
        let batch = try await hub.batches.submit(
            body.devices.map(BatchWire.item), by: principal, call: try request.callName(data), origin: context.origin)
        return try await BatchWire.answer(batch, request, hub.batches)
    }

    private func command(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.viewing.mustLook(principal, isLocal: context.origin.isLocal)
        guard let command = try await hub.commands.command(try context.id(), seenBy: principal) else { throw Problem.notFound }
        return try .encoding(CommandWire.answer(command))
    }
}

extension DeviceForm {
    /// Tells the form in an entity tag. What `If-Match` looks at stands before it.
    fileprivate var tag: String {
        switch self {
        case .house: ""
        case .source: ".c11s"
        }
    }
}
