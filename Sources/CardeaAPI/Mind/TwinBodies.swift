import CardeaModel
import Foundation

/// `POST /api/v1/twins`
public struct TwinBody: WireFormat.Body, Encodable, Sendable {
    /// A device of the house, or the id that a planned one is to have.
    public var deviceID: String
    /// `basic`, `advanced` or `expert`; `advanced` if omitted.
    public var fidelityLevel: String?
    /// For a device that is only planned.
    public var config: TwinPlanBody?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case config
        case deviceID = "device_id"
        case fidelityLevel = "fidelity_level"
    }

    public init(deviceID: String, fidelityLevel: String? = nil, config: TwinPlanBody? = nil) {
        self.deviceID = deviceID
        self.fidelityLevel = fidelityLevel
        self.config = config
    }
}

/// The properties of a planned device.
public struct TwinPlanBody: WireFormat.Body, Encodable, Sendable {
    public var name: String?
    /// A kind of entity: `light`, `lock`.
    public var kind: String?

    public enum CodingKeys: String, CodingKey, CaseIterable { case name, kind }

    public init(name: String? = nil, kind: String? = nil) {
        self.name = name
        self.kind = kind
    }
}

/// The twin that `POST /api/v1/twins` made.
public struct CreatedTwinAnswer: Codable, Sendable {
    public let twinID: String
    /// `created`.
    public let status: String
    public let syncStatus: String
    /// Milliseconds; 0 for one that is ready already.
    public let estimatedReadyTime: Int
    public let capabilities: [String]

    enum CodingKeys: String, CodingKey {
        case status, capabilities
        case twinID = "twin_id"
        case syncStatus = "sync_status"
        case estimatedReadyTime = "estimated_ready_time"
    }

    public init(_ twin: TwinAnswer) {
        twinID = twin.id
        status = "created"
        syncStatus = twin.syncStatus
        estimatedReadyTime = 0
        capabilities = twin.capabilities
    }
}

/// A twin in a list: the device's last report, and the requested state.
public struct TwinAnswer: Codable, Sendable {
    public let id: String
    public let deviceID: String
    public let name: String
    /// The device's class.
    public let type: String
    public let fidelityLevel: String
    /// `synchronized`, `out_of_sync`, `syncing`, `no_real_device` or `error`.
    public let syncStatus: String
    @Nullable public private(set) var lastSync: Date?
    /// 0, all is as it was asked, to 1.
    public let divergenceScore: Double
    public let capabilities: [String]

    enum CodingKeys: String, CodingKey {
        case id, name, type, capabilities
        case deviceID = "device_id"
        case fidelityLevel = "fidelity_level"
        case syncStatus = "sync_status"
        case lastSync = "last_sync"
        case divergenceScore = "divergence_score"
    }

    public init(
        id: String, deviceID: String, name: String, type: String, fidelityLevel: String, syncStatus: String, lastSync: Date?,
        divergenceScore: Double, capabilities: [String]
    ) {
        self.id = id
        self.deviceID = deviceID
        self.name = name
        self.type = type
        self.fidelityLevel = fidelityLevel
        self.syncStatus = syncStatus
        self.lastSync = lastSync
        self.divergenceScore = divergenceScore
        self.capabilities = capabilities
    }
}

/// `GET /api/v1/twins`
public struct TwinsAnswer: Codable, Sendable {
    public let twins: [TwinAnswer]
    public let total: Int
    public let synchronized: Int
    public let outOfSync: Int

    enum CodingKeys: String, CodingKey {
        case twins, total, synchronized
        case outOfSync = "out_of_sync"
    }

    public init(twins: [TwinAnswer]) {
        self.twins = twins
        total = twins.count
        synchronized = twins.count { $0.syncStatus == "synchronized" }
        outOfSync = twins.count { $0.syncStatus == "out_of_sync" }
    }
}

/// An entity's state at one moment.
public struct TwinHistoryPoint: Codable, Sendable {
    public let at: Date
    public let state: String

    public init(at: Date, state: String) {
        self.at = at
        self.state = state
    }
}

/// `GET /api/v1/twins/{id}`: a twin with all its details. On the wire, the members of `twin` are on the same level as the others.
public struct TwinDetailAnswer: Codable, Sendable {
    public let twin: TwinAnswer
    /// By entity.
    public let reported: [String: TwinReportAnswer]
    /// The requests that still apply.
    public let desired: [TwinWishAnswer]
    /// Those that the device has not reported as done yet.
    public let pending: [TwinWishAnswer]
    /// `light.hall/brightness`
    public let divergingKeys: [String]
    @Nullable public private(set) var thermal: ThermalAnswer?
    /// The reason why there is no thermal twin, if one was expected.
    @Nullable public private(set) var thermalProblem: String?
    /// The states of each entity within the last day, the earliest first.
    public let history: [String: [TwinHistoryPoint]]

    enum CodingKeys: String, CodingKey {
        case reported, desired, pending, thermal, history
        case divergingKeys = "diverging_keys"
        case thermalProblem = "thermal_problem"
    }

    public init(
        twin: TwinAnswer, reported: [String: TwinReportAnswer], desired: [TwinWishAnswer], pending: [TwinWishAnswer],
        divergingKeys: [String], thermal: ThermalAnswer?, thermalProblem: String?, history: [String: [TwinHistoryPoint]]
    ) {
        self.twin = twin
        self.reported = reported
        self.desired = desired
        self.pending = pending
        self.divergingKeys = divergingKeys
        self.thermal = thermal
        self.thermalProblem = thermalProblem
        self.history = history
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            twin: try TwinAnswer(from: decoder), reported: try members.decode([String: TwinReportAnswer].self, forKey: .reported),
            desired: try members.decode([TwinWishAnswer].self, forKey: .desired),
            pending: try members.decode([TwinWishAnswer].self, forKey: .pending),
            divergingKeys: try members.decode([String].self, forKey: .divergingKeys),
            thermal: try members.decodeIfPresent(ThermalAnswer.self, forKey: .thermal),
            thermalProblem: try members.decodeIfPresent(String.self, forKey: .thermalProblem),
            history: try members.decodeIfPresent([String: [TwinHistoryPoint]].self, forKey: .history) ?? [:])
    }

    public func encode(to encoder: any Encoder) throws {
        try twin.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(reported, forKey: .reported)
        try members.encode(desired, forKey: .desired)
        try members.encode(pending, forKey: .pending)
        try members.encode(divergingKeys, forKey: .divergingKeys)
        try members.encode(thermal, forKey: .thermal)
        try members.encode(thermalProblem, forKey: .thermalProblem)
        try members.encode(history, forKey: .history)
    }
}

/// An entity's last report.
public struct TwinReportAnswer: Codable, Sendable {
    public let kind: String
    public let state: String
    public let attributes: [String: JSONValue]
    /// The time of its last report.
    @Nullable public private(set) var at: Date?
    /// The state it reported then, while its current state is unknown.
    @Nullable public private(set) var lastReported: LastReport?

    public struct LastReport: Codable, Sendable {
        public let state: String
        public let attributes: [String: JSONValue]

        public init(state: String, attributes: [String: JSONValue]) {
            self.state = state
            self.attributes = attributes
        }
    }

    enum CodingKeys: String, CodingKey {
        case kind, state, attributes, at
        case lastReported = "last_reported"
    }

    public init(kind: String, state: String, attributes: [String: JSONValue], at: Date?, lastReported: LastReport? = nil) {
        self.kind = kind
        self.state = state
        self.attributes = attributes
        self.at = at
        self.lastReported = lastReported
    }
}

/// A requested state of an entity.
public struct TwinWishAnswer: Codable, Sendable {
    public let entityID: String
    public let action: String
    @Nullable public private(set) var value: JSONValue?
    public let since: Date
    /// Until when its being done is waited for; null if that is over.
    @Nullable public private(set) var until: Date?
    /// The requester: `person:{id}`.
    @Nullable public private(set) var by: String?

    enum CodingKeys: String, CodingKey {
        case action, value, since, until, by
        case entityID = "entity_id"
    }

    public init(entityID: String, action: String, value: JSONValue?, since: Date, until: Date?, by: String?) {
        self.entityID = entityID
        self.action = action
        self.value = value
        self.since = since
        self.until = until
        self.by = by
    }
}

/// The thermal behaviour of a room, fitted to its own readings.
public struct ThermalAnswer: Codable, Sendable {
    public let roomID: String
    /// Hours in which the unheated room loses 63 % of its difference to the outside temperature.
    public let timeConstant: EstimateAnswer
    /// °C per hour at full heating, or per kW if heating is metered.
    public let heatingRate: EstimateAnswer
    /// °C per hour: sun, people and machines, on average.
    public let gain: EstimateAnswer
    /// °C, root mean square, from one hour to the next.
    public let oneStepError: Double
    /// °C, root mean square, over whole runs of hours of which only the first is known.
    public let freeRunError: Double
    public let hoursOfReadings: Int
    public let measured: [Measured]
    public let fitted: [Fitted]
    public let forecast: [Forecast]

    public struct Measured: Codable, Sendable {
        public let at: Date
        public let inside: Double
        @Nullable public private(set) var outside: Double?

        public init(at: Date, inside: Double, outside: Double?) {
            self.at = at
            self.inside = inside
            self.outside = outside
        }
    }

    public struct Fitted: Codable, Sendable {
        public let at: Date
        public let value: Double

        public init(at: Date, value: Double) {
            self.at = at
            self.value = value
        }
    }

    public struct Forecast: Codable, Sendable {
        public let at: Date
        public let value: Double
        public let low: Double
        public let high: Double

        public init(at: Date, value: Double, low: Double, high: Double) {
            self.at = at
            self.value = value
            self.low = low
            self.high = high
        }
    }

    enum CodingKeys: String, CodingKey {
        case gain, measured, fitted, forecast
        case roomID = "room_id"
        case timeConstant = "time_constant"
        case heatingRate = "heating_rate"
        case oneStepError = "one_step_error"
        case freeRunError = "free_run_error"
        case hoursOfReadings = "hours_of_readings"
    }

    public init(
        roomID: String, timeConstant: EstimateAnswer, heatingRate: EstimateAnswer, gain: EstimateAnswer, oneStepError: Double,
        freeRunError: Double, hoursOfReadings: Int, measured: [Measured], fitted: [Fitted], forecast: [Forecast]
    ) {
        self.roomID = roomID
        self.timeConstant = timeConstant
        self.heatingRate = heatingRate
        self.gain = gain
        self.oneStepError = oneStepError
        self.freeRunError = freeRunError
        self.hoursOfReadings = hoursOfReadings
        self.measured = measured
        self.fitted = fitted
        self.forecast = forecast
    }
}
