import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes
import Hummingbird

/// `/api/devices` of the demo, for the seed's client: the same house and the same gate, without a token.
struct DemoDevicesController: Sendable {
    let hub: Hub
    let encoder: SourceFormatEncoder
    let resident: Principal

    func addRoutes(to table: RouteTable) {
        table.demo(.get, "/api/devices", list)
        table.demo(.get, "/api/devices/{id}") { _, context in try .encoding(try device(context)) }
        table.demo(.put, "/api/devices/{id}/control", control)
        table.demo(.post, "/api/devices/batch-control") { request, context in
            try await DevicesController.submitBatch(request, context, resident, to: hub)
        }
    }

    private func list(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let query = try DeviceQuery(request.uri.queryParameters)
        let rooms = hub.house.rooms
        let fitting = hub.devices.all.devices.filter { query.filter.matches($0, rooms: rooms) }
        return try .encoding(
            DemoDevices(devices: query.page(fitting).map(encoder.device), total: fitting.count, filtersApplied: query.appliedFilters))
    }

    private func device(_ context: HubRequestContext) throws -> DemoDevice {
        guard let device = hub.devices.device(try context.id()) else { throw CommandRefusal.deviceNotFound }
        return encoder.device(device)
    }

    private func control(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let (command, isReplay) = try await DevicesController.submit(request, context, resident, to: hub)
        let ended = try await hub.commands.outcome(of: command)
        if let problem = APIResponseError.outcome(of: ended, in: .hub) { throw problem.replayed(isReplay) }
        return try .encoding(DemoControlAnswer(device: try device(context)), isReplay: isReplay)
    }
}
