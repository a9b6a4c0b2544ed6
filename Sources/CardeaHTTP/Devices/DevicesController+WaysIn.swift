import CardeaAPI
import CardeaHub
import CardeaModel
import Hummingbird

/// The household's decisions on its ways in.
extension DevicesController {
    func addWayInRoutes(to table: RouteTable) {
        for (route, word) in [(Route.markWayIn, Devices.WayInResolution.opens), (.unmarkWayIn, .opensNone)] {
            table.person(route) { request, context, principal in
                _ = try await request.bodyData()
                let device = try await hub.devices.resolveWayIn(
                    word, of: [try context.id("entity_id")], on: try context.id(), by: principal, origin: context.origin)
                return .json(try encoder.encode(device, rooms: hub.house.rooms)).withETag(device.entityTag)
            }
        }
        for (route, word) in [(Route.confirmWaysIn, Devices.WayInResolution.sameDoor), (.releaseWaysIn, .opensNone)] {
            table.person(route) { request, context, principal in
                let body = try await request.decodeBody(WaysInBody.self)
                let device = try await hub.devices.resolveWayIn(
                    word, of: body.entityIDs, on: try context.id(), by: principal, origin: context.origin)
                return .json(try encoder.encode(device, rooms: hub.house.rooms)).withETag(device.entityTag)
            }
        }
        table.person(.showWaysIn) { _, context, principal in
            let ways = try await hub.devices.wayInMemories(of: try context.id(), by: principal)
            return try .encoding(WaysInAnswer(ways))
        }
    }
}
