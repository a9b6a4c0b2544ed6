import CardeaAPI
import CardeaHub
import CardeaModel
import Hummingbird

/// Devices that are merged, and doors that are replaced.
extension DevicesController {
    func merge(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(MergeDevicesBody.self)
        return try answer(
            try await hub.integrations.merge(try context.id(), with: body.with, by: principal, origin: context.origin))
    }

    func replace(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ReplaceDoorBody.self)
        return try answer(
            try await hub.integrations.replace(
                body.replaces, by: body.entityID, of: try context.id(), principal: principal, origin: context.origin))
    }

    func replaceable(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let doors = try await hub.integrations.replaceable(by: try context.id(), seenBy: principal)
        return try .encoding(
            ReplaceableDoorsAnswer(
                doors: doors.map { door in
                    .init(
                        deviceID: door.deviceID, entityID: door.entityID, name: door.name, passes: door.passes, buttons: door.buttons,
                        candidates: door.candidates)
                }))
    }

    private func answer(_ move: Integrations.Move) throws -> Response {
        let (device, moved) = (move.device, move.moved)
        let room = hub.house.rooms.first { $0.id == device.roomID }?.name
        return try .encoding(
            MovedAnswer(
                device: DeviceAnswer(device, room: room), passes: moved.passes, buttons: moved.buttons, tags: moved.tags,
                automations: moved.automations, scenes: moved.scenes, programs: moved.apiTokens))
    }
}
