import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// What the sensors said over time: the history of one, the house's energy, the air in its rooms.
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

    /// From one moment up to another, which is not part of it.
    public struct Span: Hashable, Sendable {
        public let from: Date
        public let to: Date
    }

    /// The last day, where nobody says otherwise.
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
        /// Where to go on, when there was more than one answer holds.
        public let next: Date?
    }

    public enum Points: Sendable {
        case raw([Reading])
        case hours([HourlyReading])
    }

    /// - Parameter resolution: every reading, or hours; nil for readings while they are kept, then hours.
    public func history(
        of deviceID: String, entityID: String?, span: Span, resolution: Resolution?, seenBy principal: Principal
    ) async throws -> History {
        // First, so that a device that is there and one that is not look the same to whoever may see neither.
        let person = try await store.read { try People.require(.controlDevices, of: principal, in: $0) }
        guard let device = devices.device(deviceID) else { throw ReadingError.noDevice }
        let entity = try Self.sensor(entityID.map(devices.formerIDs.entity), of: device)
        // What is used when tells who is at home when.
        if Metering.isEnergy(entity.deviceClass), !person.rights.contains(.viewEnergy) {
            throw People.PersonError.forbidden(.roleLacksRight)
        }
        let (now, limit) = (environment.now(), ReadingPolicy.pointLimit)
        return try await store.read { db in
            let kept = try RetentionRecords.cutoff(.readings, at: now, in: db)
            switch resolution ?? (span.from < kept ? .hour : .raw) {
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
        /// W, of the sensors that tell it now; nil where none does.
        public let power: Double?
        /// In the kind's unit, within the span; nil where no meter counts it.
        public let amount: Double?
        public let cost: Double?
    }

    public struct MeterUse: Sendable {
        public let device: Device
        public let entity: Entity
        public let quantity: Metering.Quantity
        /// What it says now, in the house's units.
        public let now: Double?
        /// What it counted within the span, for one that counts.
        public let amount: Double?
    }

    /// What the house used within the span, priced by the rates of whoever asks.
    public func energy(_ span: Span, seenBy principal: Principal) async throws -> [EnergyUse] {
        let meters = devices.all.devices.flatMap { device in
            device.entities.compactMap { entity in Metering(entity, of: device).map { (device, entity, $0) } }
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

    // MARK: The air in the rooms

    public struct RoomClimate: Sendable {
        public let device: Device
        public let entity: Entity
        public let metric: EnvironmentMetric
        public let now: Double?
        /// Within the span; nil where nothing was said.
        public let summary: HourlyReading?
    }

    /// - Parameter room: only what stands in this room.
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

    // MARK: Forgetting

    /// Makes hours of what is older than single readings are kept, and forgets hours that have outlived their time. In small commits: a
    /// door does not wait for this.
    ///
    /// - Returns: how many rows went.
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
