import CardeaAPI
import Foundation

/// Sensor history and energy use.
public struct Readings: Sendable {
    let caller: AuthenticatedClient

    /// The resolution of a history.
    public enum Resolution: String, Sendable {
        case raw, hour
    }

    /// The whole history of a sensor between two moments, gathered answer by answer.
    ///
    /// - Parameters:
    ///   - entityID: which of the device's sensors; nil if it has one.
    ///   - resolution: every reading, or the hours; nil for readings while they are kept, then hours.
    public func history(
        of deviceID: String, entityID: String? = nil, from: Date, to: Date, resolution: Resolution? = nil
    ) async throws(ClientError) -> HistoryAnswer {
        let first = try await page(of: deviceID, entityID, from, to, resolution)
        var (points, next) = (first.points, first.nextFrom)
        // A page that does not move back in time would be requested without end.
        while let start = next, start > (points.last?.at ?? from) {
            let more = try await page(of: deviceID, first.entityID, start, to, resolution)
            points += more.points
            next = more.nextFrom
        }
        return HistoryAnswer(
            deviceID: first.deviceID, entityID: first.entityID, unit: first.unitOfMeasurement, resolution: first.resolution,
            from: first.from, to: first.to, points: points, nextFrom: nil)
    }

    private func page(
        of deviceID: String, _ entityID: String?, _ from: Date, _ to: Date, _ resolution: Resolution?
    ) async throws(ClientError) -> HistoryAnswer {
        let query = Self.timeRangeQuery(from, to) + [("entity_id", entityID), ("resolution", resolution?.rawValue)]
        return try await caller.read(.get("api", "v1", "devices", .id(deviceID), "history", query: query))
    }

    /// Energy used between two moments, and its cost by the household's own rates.
    public func energy(from: Date, to: Date) async throws(ClientError) -> EnergyAnswer {
        try await caller.read(.get("api", "v1", "energy", query: Self.timeRangeQuery(from, to)))
    }

    /// The air in the rooms, now and between two moments.
    public func environment(from: Date, to: Date, roomID: String? = nil) async throws(ClientError) -> EnvironmentAnswer {
        try await caller.read(.get("api", "v1", "environment", query: Self.timeRangeQuery(from, to) + [("room_id", roomID)]))
    }

    private static func timeRangeQuery(_ from: Date, _ to: Date) -> [(String, String?)] {
        [("from", Timestamp.text(from)), ("to", Timestamp.text(to))]
    }
}
