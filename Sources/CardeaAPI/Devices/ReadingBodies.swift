import CardeaModel
import Foundation

/// `GET /api/v1/devices/{id}/history`
public struct HistoryAnswer: Codable, Sendable {
    public let deviceID: String
    public let entityID: String
    @Nullable public private(set) var unitOfMeasurement: String?
    /// `raw` or `hour`.
    public let resolution: String
    public let from: Date
    public let to: Date
    public let points: [Point]
    /// There is more: ask again from here.
    @Nullable public private(set) var nextFrom: Date?

    /// A reading has a value; an hour has the rest.
    public struct Point: Codable, Sendable {
        public let at: Date
        public let value: Double?
        public let min: Double?
        public let max: Double?
        public let mean: Double?
        public let count: Int?

        public init(_ reading: Reading) {
            at = reading.at
            value = reading.value
            (min, max, mean, count) = (nil, nil, nil, nil)
        }

        public init(_ hour: HourlyReading) {
            at = hour.hour
            value = nil
            min = hour.low
            max = hour.high
            mean = hour.mean
            count = hour.count
        }
    }

    enum CodingKeys: String, CodingKey {
        case resolution, from, to, points
        case deviceID = "device_id"
        case entityID = "entity_id"
        case unitOfMeasurement = "unit_of_measurement"
        case nextFrom = "next_from"
    }

    public init(
        deviceID: String, entityID: String, unit: String?, resolution: String, from: Date, to: Date, points: [Point], nextFrom: Date?
    ) {
        self.deviceID = deviceID
        self.entityID = entityID
        unitOfMeasurement = unit
        self.resolution = resolution
        self.from = from
        self.to = to
        self.points = points
        self.nextFrom = nextFrom
    }
}

/// `GET /api/v1/energy`
public struct EnergyAnswer: Codable, Sendable {
    public let from: Date
    public let to: Date
    public let readings: [Consumption]

    public struct Consumption: Codable, Sendable {
        public let energyType: EnergyKind
        /// W now.
        @Nullable public private(set) var power: Double?
        /// Within the span, in `unit`.
        @Nullable public private(set) var energy: Double?
        public let unit: String
        /// The cost at the caller's rates.
        @Nullable public private(set) var cost: Double?
        public let meters: [Meter]

        enum CodingKeys: String, CodingKey {
            case power, energy, unit, cost, meters
            case energyType = "energy_type"
        }

        public init(energyType: EnergyKind, power: Double?, energy: Double?, cost: Double?, meters: [Meter]) {
            self.energyType = energyType
            self.power = power
            self.energy = energy
            unit = energyType.unit
            self.cost = cost
            self.meters = meters
        }
    }

    public struct Meter: Codable, Sendable {
        public let deviceID: String
        public let entityID: String
        /// W, for a sensor of what flows now.
        public let power: Double?
        /// The meter's reading, for a sensor that counts.
        public let total: Double?
        /// The amount that it counted within the span.
        public let energy: Double?

        enum CodingKeys: String, CodingKey {
            case power, total, energy
            case deviceID = "device_id"
            case entityID = "entity_id"
        }

        public init(deviceID: String, entityID: String, power: Double?, total: Double?, energy: Double?) {
            self.deviceID = deviceID
            self.entityID = entityID
            self.power = power
            self.total = total
            self.energy = energy
        }
    }

    public init(from: Date, to: Date, readings: [Consumption]) {
        self.from = from
        self.to = to
        self.readings = readings
    }
}

/// `GET /api/v1/environment`
public struct EnvironmentAnswer: Codable, Sendable {
    public let from: Date
    public let to: Date
    public let readings: [SensorReading]

    public struct SensorReading: Codable, Sendable {
        public let deviceID: String
        public let entityID: String
        @Nullable public private(set) var roomID: String?
        public let metric: EnvironmentMetric
        /// The present value; null if the sensor is unreachable or has not reported.
        @Nullable public private(set) var value: Double?
        @Nullable public private(set) var unitOfMeasurement: String?
        /// Within the span.
        public let min: Double?
        public let max: Double?
        public let mean: Double?
        public let count: Int

        enum CodingKeys: String, CodingKey {
            case metric, value, min, max, mean, count
            case deviceID = "device_id"
            case entityID = "entity_id"
            case roomID = "room_id"
            case unitOfMeasurement = "unit_of_measurement"
        }

        public init(
            deviceID: String, entityID: String, roomID: String?, metric: EnvironmentMetric, value: Double?, unit: String?,
            summary: HourlyReading?
        ) {
            self.deviceID = deviceID
            self.entityID = entityID
            self.roomID = roomID
            self.metric = metric
            self.value = value
            unitOfMeasurement = unit
            min = summary?.low
            max = summary?.high
            mean = summary?.mean
            count = summary?.count ?? 0
        }
    }

    public init(from: Date, to: Date, readings: [SensorReading]) {
        self.from = from
        self.to = to
        self.readings = readings
    }
}
