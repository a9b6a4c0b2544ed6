import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Sensor readings over time: the history of one sensor, the house's energy use, the air in its rooms.
public struct Readings: Sendable {
    let store: Store
    let devices: Devices
    let environment: HubEnvironment

    public enum Resolution: String, Sendable, CaseIterable {
        case raw, hour
    }

    public enum ReadingError: Error {
        case noDevice
        case noEntity
        /// Several sensors fit; one must be named.
        case entityRequired([String])
        /// The span ends before it begins.
        case span
    }

    /// A time span; its end is exclusive.
    public struct Span: Hashable, Sendable {
        public let from: Date
        public let to: Date
    }

    /// The span; the last day by default.
    public func span(from: Date?, to: Date?) throws -> Span {
        let to = to ?? environment.now()
        let from = from ?? to.addingTimeInterval(-86_400)
        guard from < to else { throw ReadingError.span }
        return Span(from: from, to: to)
    }

    // MARK: One sensor

    public struct History: Sendable {
        public let entity: Entity
        public let span: Span
        public let points: Points
        /// The start of the next page, if one answer does not hold all of them.
        public let next: Date?
    }

    public enum Points: Sendable {
        case raw([Reading])
        case hours([HourlyReading])
    }

    /// - Parameter resolution: every reading, or hours; nil for readings as far back as they are kept, and hours before that.
    public func history(
        of deviceID: String, entityID: String?, span: Span, resolution: Resolution?, seenBy principal: Principal
    ) async throws -> History {
        // First, so that an existing device and a missing one look the same to callers who may see neither.
        let person = try await store.read { try People.require(.controlDevices, of: principal, in: $0) }
        guard let device = devices.device(deviceID) else { throw ReadingError.noDevice }
        let entity = try Self.sensor(entityID.map(devices.formerIDs.entity), of: device)
        // Energy use reveals when people are at home.
        if EnergyMetering.isEnergy(entity.deviceClass), !person.rights.contains(.viewEnergy) {
            throw People.PersonError.forbidden(.roleLacksRight)
        }
        let (now, limit) = (environment.now(), ReadingPolicy.pointLimit)
        return try await store.read { db in
            let retained = try RetentionRecords.cutoff(.readings, at: now, in: db)
            switch resolution ?? (span.from < retained ? .hour : .raw) {
            case .raw:
                let found = try ReadingRecords.raw(entity.id, span, limit: limit + 1, db)
                return History(
                    entity: entity, span: span, points: .raw(Array(found.prefix(limit))),
                    next: found.count > limit ? found.last?.at : nil)
            case .hour:
                let found = try ReadingRecords.hours(entity.id, span, asOf: now, limit: limit + 1, db)
                return History(
                    entity: entity, span: span, points: .hours(Array(found.prefix(limit))),
                    next: found.count > limit ? found.last?.hour : nil)
            }
        }
    }

    private static func sensor(_ entityID: String?, of device: Device) throws -> Entity {
        if let entityID {
            guard let entity = device.entities.first(where: { $0.id == entityID }) else { throw ReadingError.noEntity }
            return entity
        }
        let sensors = device.entities.filter { $0.kind == .sensor }
        guard let sensor = sensors.first else { throw ReadingError.noEntity }
        guard sensors.count == 1 else { throw ReadingError.entityRequired(sensors.map(\.id)) }
        return sensor
    }

    // MARK: Energy

    public struct EnergyUse: Sendable {
        public let kind: EnergyKind
        public let meters: [MeterUse]
        /// Watts, of the sensors that report it now; nil if none does.
        public let power: Double?
        /// In the kind's unit, within the span; nil if no meter counts it.
        public let amount: Double?
        public let cost: Double?
    }

    public struct MeterUse: Sendable {
        public let device: Device
        public let entity: Entity
        public let quantity: EnergyMetering.Quantity
        /// The current value in the house's units.
        public let now: Double?
        /// The amount counted within the span, for a meter that counts.
        public let amount: Double?
    }

    /// The house's energy use within the span, at the caller's prices.
    public func energy(_ span: Span, seenBy principal: Principal) async throws -> [EnergyUse] {
        let meters = devices.all.devices.flatMap { device in
            device.entities.compactMap { entity in EnergyMetering(entity, of: device).map { (device, entity, $0) } }
        }
        return try await store.read { db in
            let person = try People.require(.viewEnergy, of: principal, in: db)
            let preferences = try PeoplePreferences.read(person.id, db)
            let uses = try meters.map { device, entity, metering in
                let now = device.status == .offline ? nil : ReadingPolicy.number(entity.state, of: entity.kind)
                let counted = metering.quantity == .total ? try ReadingRecords.consumption(entity.id, span, db) : nil
                return (
                    metering.energy,
                    MeterUse(
                        device: device, entity: entity, quantity: metering.quantity, now: now.map { $0 * metering.factor },
                        amount: counted.map { $0 * metering.factor })
                )
            }
            return EnergyKind.allCases.compactMap { kind in
                let meters = uses.filter { $0.0 == kind }.map(\.1)
                guard !meters.isEmpty else { return nil }
                let amount = Self.sum(meters.compactMap(\.amount))
                return EnergyUse(
                    kind: kind, meters: meters, power: Self.sum(meters.filter { $0.quantity == .power }.compactMap(\.now)),
                    amount: amount, cost: amount.flatMap { kind.cost(of: $0, by: preferences) })
            }
        }
    }

    private static func sum(_ numbers: [Double]) -> Double? {
        numbers.isEmpty ? nil : numbers.reduce(0, +)
    }

    // MARK: Air quality

    public struct RoomClimate: Sendable {
        public let device: Device
        public let entity: Entity
        public let metric: EnvironmentMetric
        public let now: Double?
        /// The summary of the span; nil if there are no readings.
        public let summary: HourlyReading?
    }

    /// - Parameter room: only devices in this room.
    public func environment(_ span: Span, room: String?, seenBy principal: Principal) async throws -> [RoomClimate] {
        let sensors = devices.all.devices.filter { room == nil || $0.roomID == room }.flatMap { device in
            device.entities.compactMap { entity -> (Device, Entity, EnvironmentMetric)? in
                guard entity.kind == .sensor, let metric = EnvironmentMetric(deviceClass: entity.deviceClass) else { return nil }
                return (device, entity, metric)
            }
        }
        let now = environment.now()
        return try await store.read { db in
            try People.require(.viewEnergy, of: principal, in: db)
            return try sensors.map { device, entity, metric in
                RoomClimate(
                    device: device, entity: entity, metric: metric,
                    now: device.status == .offline ? nil : ReadingPolicy.number(entity.state, of: entity.kind),
                    summary: try ReadingRecords.summary(entity.id, span, asOf: now, db))
            }
        }
    }

    // MARK: Deleting

    /// Condenses single readings that are past their retention into hours, and deletes hours that are past theirs. It uses small commits,
    /// so that door commands do not wait for it.
    ///
    /// - Returns: the number of deleted rows.
    @discardableResult
    static func sweep(_ store: Store, at now: Date) async throws -> [RetentionKind: Int] {
        let border = { (kind: RetentionKind) in
            try await store.read { try RetentionRecords.cutoff(kind, at: now, in: $0).milliseconds }
        }
        var dropped: [RetentionKind: Int] = [:]
        let raw = ReadingPolicy.hour(of: try await border(.readings))
        for entityID in try await store.read({ try ReadingRecords.sensors($0) }) {
            while case let count = try await store.write({ try ReadingRecords.condense(entityID, before: raw, in: $0) }), count > 0 {
                try Task.checkCancellation()
                dropped[.readings, default: 0] += count
            }
        }
        for (kind, isEnergy) in [(RetentionKind.energy, true), (.environment, false)] {
            let oldest = try await border(kind)
            while case let count = try await store.write({ try ReadingRecords.deleteHours(isEnergy: isEnergy, before: oldest, in: $0) }),
                count > 0
            {
                try Task.checkCancellation()
                dropped[kind, default: 0] += count
            }
        }
        return dropped
    }
}
