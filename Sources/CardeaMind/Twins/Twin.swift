import CardeaModel
import Foundation

/// The twin of a device: its last report, and the commands to it that are not reported yet. It exists whether or not the device is
/// online, and it only follows: it sends nothing.
///
/// It is derived from a device and the events since; nothing in it is stored.
public struct Twin: Hashable, Sendable, Identifiable {
    /// The prefix of every twin's id.
    public static let idPrefix = "twin_"
    /// `twin_{device}`.
    public let id: String
    /// The device's id, or the one of a planned device.
    public let deviceID: String
    public var name: String
    public var deviceClass: DeviceClass
    public var fidelity: TwinFidelity
    /// The room's thermal twin, for a device that heats or measures the room.
    public var model: ThermalTwin?
    public internal(set) var counterpart: Counterpart
    /// By entity, its kind and its last report.
    public internal(set) var reported: [String: ReportedState]
    /// By entity, the commands that hold: not yet reported, or reported and not overtaken.
    public internal(set) var desired: [String: [TwinDesiredState]] = [:]
    /// The last revision of the device that was processed.
    var revision = Int.min

    /// The device behind the twin: planned, present, or removed.
    public enum Counterpart: Hashable, Sendable {
        /// A planned device that does not exist yet.
        case planned
        case device(DeviceStatus, since: Date)
        /// The device was removed from the house. Its last report is kept.
        case withdrawn(at: Date)
    }

    /// The last reported state of an entity.
    public struct ReportedState: Hashable, Sendable {
        public let kind: EntityKind
        public internal(set) var state: EntityState
        /// The time of the report; nil if there was none yet.
        public internal(set) var at: Date?
        /// The last known state, while the present one is not known.
        public internal(set) var last: EntityState?

        public init(kind: EntityKind, state: EntityState, at: Date?, last: EntityState? = nil) {
            self.kind = kind
            self.state = state
            self.at = at
            self.last = last
        }

        /// State and attributes in one dictionary.
        var values: [String: JSONValue] {
            at == nil || state.hasNoState ? [:] : state.attributes.merging(["state": .string(state.value)]) { _, word in word }
        }
    }

    /// A change that was asked for and is not reported yet.
    public struct PendingChange: Hashable, Sendable {
        public let entityID: String
        public let desired: TwinDesiredState
        public var since: Date { desired.since }
    }

    /// The twin of a device of the house.
    public init(of device: Device, fidelity: TwinFidelity = .advanced, model: ThermalTwin? = nil, at now: Date) {
        self.init(
            deviceID: device.id, name: device.name, deviceClass: device.deviceClass, fidelity: fidelity, model: model,
            reality: device.isPlanned ? .planned : .device(device.status, since: now), reported: [:])
        update(device, at: now)
    }

    /// The twin of a planned device, with the entities it would have.
    public init(planned deviceID: String, name: String, entities: [Entity], fidelity: TwinFidelity = .advanced) {
        self.init(
            deviceID: deviceID, name: name, deviceClass: DeviceClass(of: entities), fidelity: fidelity, model: nil, reality: .planned,
            reported: Dictionary(
                entities.map { ($0.id, ReportedState(kind: $0.kind, state: $0.state, at: nil)) }, uniquingKeysWith: { first, _ in first }))
    }

    private init(
        deviceID: String, name: String, deviceClass: DeviceClass, fidelity: TwinFidelity, model: ThermalTwin?, reality: Counterpart,
        reported: [String: ReportedState]
    ) {
        id = Self.idPrefix + deviceID
        self.deviceID = deviceID
        self.name = name
        self.deviceClass = deviceClass
        self.fidelity = fidelity
        self.model = model
        self.counterpart = reality
        self.reported = reported
    }
}

// MARK: Status

extension Twin {
    /// Seconds in which a command may be reported. They allow for a person's confirmation and for the run of a garage door.
    public static let reportTimeout: TimeInterval = 180

    /// Changes that were asked for and are not reported yet, the oldest first.
    public func pending(at now: Date) -> [PendingChange] {
        desired.flatMap { entityID, desiredStates in
            desiredStates.filter { !$0.isReported && !$0.isExpired(at: now) }.map { PendingChange(entityID: entityID, desired: $0) }
        }
        .sorted { ($0.since, $0.entityID, $0.desired.verb.rawValue) < ($1.since, $1.entityID, $1.desired.verb.rawValue) }
    }

    /// The share of wanted keys that differ from the report: 0 for none, 1 for all.
    public func divergence(at now: Date) -> Double {
        let (wanted, said) = comparableValues(at: now)
        return TwinDivergence.between(wanted, said)
    }

    /// The keys that differ from the commands, such as `light.hall/brightness`.
    public func divergingKeys(at now: Date) -> [String] {
        let (wanted, said) = comparableValues(at: now)
        return TwinDivergence.keys(wanted, said)
    }

    public func status(at now: Date) -> TwinStatus {
        switch counterpart {
        case .planned, .withdrawn: return .noRealDevice
        case .device(.error, _): return .error
        case .device(.offline, _): return .outOfSync
        case .device:
            if !pending(at: now).isEmpty { return .syncing }
            let isSilent = reported.isEmpty || reported.values.contains { $0.at == nil || $0.state.hasNoState }
            return isSilent || divergence(at: now) > 0 ? .outOfSync : .synchronized
        }
    }

    /// The time of the latest report of any entity.
    public var lastReportedAt: Date? { reported.values.compactMap(\.at).max() }

    /// The parts that can be requested of this twin; they depend on its fidelity and on its thermal model.
    public var capabilities: Set<TwinCapability> {
        var capabilities: Set<TwinCapability> = [.reported]
        if fidelity >= .advanced { capabilities.formUnion([.desired, .pending, .divergence, .history]) }
        if fidelity == .expert, model != nil { capabilities.insert(.prediction) }
        return capabilities
    }

    private func comparableValues(at now: Date) -> (wanted: [String: JSONValue], said: [String: JSONValue]) {
        var (wanted, said): ([String: JSONValue], [String: JSONValue]) = ([:], [:])
        // A planned device has nothing to diverge from.
        guard counterpart != .planned else { return (wanted, said) }
        for (entityID, desiredStates) in desired {
            guard let report = reported[entityID] else { continue }
            for desiredState in desiredStates where !desiredState.isExpired(at: now) {
                for (key, value) in desiredState.expected(of: report.kind) {
                    wanted["\(entityID)/\(key)"] = value
                    // A reported command counts as equal, since devices round. Of a colour only the requested parts are compared: a lamp
                    // reports more.
                    said["\(entityID)/\(key)"] = desiredState.isReported ? value : report.values[key].map { Self.part($0, askedBy: value) }
                }
            }
        }
        return (wanted, said)
    }

    private static func part(_ said: JSONValue, askedBy wanted: JSONValue) -> JSONValue {
        guard case .object(let members) = said, case .object(let asked) = wanted else { return said }
        return .object(members.filter { asked[$0.key] != nil })
    }
}

extension TwinDesiredState {
    /// Returns true if its time ended before it was reported.
    func isExpired(at now: Date) -> Bool {
        guard !isReported, let until else { return false }
        return until <= now
    }
}
