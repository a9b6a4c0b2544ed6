import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes
import Hummingbird

/// `/api/devices` of the demo, for the seed's client: the same house and the same gate, without a token.
struct DemoDevicesHarness: Sendable {
    let hub: Hub
    let wire: DemoWire
    let resident: Principal

    func add(to table: RouteTable) {
        table.demo(.get, "/api/devices", list)
        table.demo(.get, "/api/devices/{id}") { _, context in try .encoding(try device(context)) }
        table.demo(.put, "/api/devices/{id}/control", control)
        table.demo(.post, "/api/devices/batch-control") { request, context in
            try await DevicesHarness.submitBatch(request, context, resident, to: hub)
        }
    }

    private func list(_ request: Request, _ context: HouseContext) async throws -> Response {
        let query = try DevicesQuery(request.uri.queryParameters)
        let rooms = hub.house.rooms
        let fitting = hub.devices.all.devices.filter { query.filter.fits($0, rooms: rooms) }
        return try .encoding(
            DemoDevices(devices: query.page(fitting).map(wire.device), total: fitting.count, filtersApplied: query.applied))
    }

    private func device(_ context: HouseContext) throws -> DemoDevice {
        guard let device = hub.devices.device(try context.id()) else { throw CommandRefusal.deviceNotFound }
        return wire.device(device)
    }

    private func control(_ request: Request, _ context: HouseContext) async throws -> Response {
        let (command, isReplay) = try await DevicesHarness.submit(request, context, resident, to: hub)
        let ended = try await hub.commands.outcome(of: command)
        if let problem = CommandWire.problem(ended) { throw problem.replayed(isReplay) }
        return try .encoding(DemoControlAnswer(device: try device(context)), isReplay: isReplay)
    }
}
