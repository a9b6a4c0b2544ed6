import CardeaAPI
import CardeaHub
import CardeaModel
import Hummingbird

/// The household's word on its ways in.
extension DevicesHarness {
    func addWaysIn(to table: RouteTable) {
        for (route, word) in [(Route.markWayIn, Devices.WayInWord.opens), (.unmarkWayIn, .opensNone)] {
            table.person(route) { request, context, principal in
                _ = try await request.bytes()
                let device = try await hub.devices.say(
                    word, of: [try context.id("entity_id")], on: try context.id(), by: principal, origin: context.origin)
                return .json(try wire.one(device, rooms: hub.house.rooms)).tagged(device.tag)
            }
        }
        for (route, word) in [(Route.confirmWaysIn, Devices.WayInWord.sameDoor), (.releaseWaysIn, .opensNone)] {
            table.person(route) { request, context, principal in
                let body = try await request.read(WaysInBody.self)
                let device = try await hub.devices.say(
                    word, of: body.entityIDs, on: try context.id(), by: principal, origin: context.origin)
                return .json(try wire.one(device, rooms: hub.house.rooms)).tagged(device.tag)
            }
        }
        table.person(.showWaysIn) { _, context, principal in
            let ways = try await hub.devices.wirings(of: try context.id(), by: principal)
            return try .encoding(WaysInAnswer(ways))
        }
    }
}
