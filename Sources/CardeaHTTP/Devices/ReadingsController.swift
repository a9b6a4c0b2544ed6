import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/api/v1/devices/{id}/history`, `/energy` and `/environment`: recorded sensor readings.
struct ReadingsController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.showHistory, history)
        table.person(.showEnergy, energy)
        table.person(.showEnvironment, environment)
    }

    private func history(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let resolution = try query["resolution"].map { text in
            guard let resolution = Readings.Resolution(rawValue: String(text)) else {
                throw APIResponseError.validation("resolution", "must be raw or hour")
            }
            return resolution
        }
        let id = try context.id()
        let history = try await hub.readings.history(
            of: id, entityID: query["entity_id"].map { String($0.prefix(256)) }, span: try span(query), resolution: resolution,
            seenBy: principal)
        let (words, points): (Readings.Resolution, [HistoryAnswer.Point]) =
            switch history.points {
            case .raw(let readings): (.raw, readings.map(HistoryAnswer.Point.init))
            case .hours(let hours): (.hour, hours.map(HistoryAnswer.Point.init))
            }
        return try .encoding(
            HistoryAnswer(
                deviceID: id, entityID: history.entity.id, unit: history.entity.unit, resolution: words.rawValue,
                from: history.span.from, to: history.span.to, points: points, nextFrom: history.next))
    }

    private func energy(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let span = try span(request.uri.queryParameters)
        let uses = try await hub.readings.energy(span, seenBy: principal)
        return try .encoding(EnergyAnswer(from: span.from, to: span.to, readings: uses.map(answer)))
    }

    private func answer(_ use: Readings.EnergyUse) -> EnergyAnswer.Consumption {
        EnergyAnswer.Consumption(
            energyType: use.kind, power: use.power, energy: use.amount, cost: use.cost,
            meters: use.meters.map { meter in
                EnergyAnswer.Meter(
                    deviceID: meter.device.id, entityID: meter.entity.id, power: meter.quantity == .power ? meter.now : nil,
                    total: meter.quantity == .total ? meter.now : nil, energy: meter.amount)
            })
    }

    private func environment(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let span = try span(query)
        let air = try await hub.readings.environment(
            span, room: query["room_id"].map { String($0.prefix(128)) }, seenBy: principal)
        return try .encoding(
            EnvironmentAnswer(
                from: span.from, to: span.to,
                readings: air.map { air in
                    EnvironmentAnswer.SensorReading(
                        deviceID: air.device.id, entityID: air.entity.id, roomID: air.device.roomID, metric: air.metric, value: air.now,
                        unit: air.entity.unit, summary: air.summary)
                }))
    }

    /// `?from=` and `?to=`.
    private func span(_ query: FlatDictionary<Substring, Substring>) throws -> Readings.Span {
        func date(_ name: String) throws -> Date? {
            try query[name[...]].map { text in
                guard let date = Timestamp.date(String(text)) else {
                    throw APIResponseError.validation(name, "must be a time such as 2026-11-21T14:31:07Z")
                }
                return date
            }
        }
        return try hub.readings.span(from: try date("from"), to: try date("to"))
    }
}
