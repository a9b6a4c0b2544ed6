import CardeaModel
import Foundation

/// The shadow of a device: what it last said of itself, and what was asked of it and is not said yet. It is there whether or not the
/// device can be reached, and only follows: it asks nothing of anything.
///
/// It is made anew from a device and the happenings since; nothing in it needs to be kept.
public struct Twin: Hashable, Sendable, Identifiable {
    /// What every id begins with.
    public static let idPrefix = "twin_"
    /// `twin_{device}`.
    public let id: String
    /// The device's id, or the one a plan would like to have.
    public let deviceID: String
    public var name: String
    public var deviceClass: DeviceClass
    public var fidelity: TwinFidelity
    /// The room's thermal twin, for what heats it or measures it.
    public var model: ThermalTwin?
    public internal(set) var counterpart: Counterpart
    /// By entity, what it is and what it last said.
    public internal(set) var reported: [String: ReportedState]
    /// By entity, what was asked of it and stands: not yet reported, or reported and not overtaken.
    public internal(set) var desired: [String: [TwinDesiredState]] = [:]
    /// The last revision of the device that was taken in.
    var revision = Int.min

    /// Whether there is a device, and how it is reached.
    public enum Counterpart: Hashable, Sendable {
        /// Somebody would like to have it.
        case planned
        case device(DeviceStatus, since: Date)
        /// It was taken out of the house. What it last said is kept.
        case withdrawn(at: Date)
    }

    /// What an entity last said.
    public struct ReportedState: Hashable, Sendable {
        public let kind: EntityKind
        public internal(set) var state: EntityState
        /// When it said so; nil for one that has said nothing yet.
        public internal(set) var at: Date?
        /// What it said then, while it is not known how it stands now.
        public internal(set) var last: EntityState?

        public init(kind: EntityKind, state: EntityState, at: Date?, last: EntityState? = nil) {
            self.kind = kind
            self.state = state
            self.at = at
            self.last = last
        }

        /// Its word and its attributes as one.
        var values: [String: JSONValue] {
            at == nil || state.hasNoState ? [:] : state.attributes.merging(["state": .string(state.value)]) { _, word in word }
        }
    }

    /// What was asked and is not reported yet.
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

    /// The twin of a device that is only planned, with the entities it would have.
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

// MARK: How it stands

extension Twin {
    /// Seconds in which something that was asked may be reported: the time for somebody's yes, and for a garage door's way.
    public static let reportTimeout: TimeInterval = 180

    /// What was asked and is not reported yet, the oldest first.
    public func pending(at now: Date) -> [PendingChange] {
        desired.flatMap { entityID, wishes in
            wishes.filter { !$0.isReported && !$0.isExpired(at: now) }.map { PendingChange(entityID: entityID, desired: $0) }
        }
        .sorted { ($0.since, $0.entityID, $0.desired.verb.rawValue) < ($1.since, $1.entityID, $1.desired.verb.rawValue) }
    }

    /// 0, all is as it was asked, to 1, nothing is: over every key that was asked and stands.
    public func divergence(at now: Date) -> Double {
        let (wanted, said) = comparableValues(at: now)
        return TwinDivergence.between(wanted, said)
    }

    /// The keys in which it is not as it was asked, as `light.hall/brightness`.
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

    /// When any of it was last reported.
    public var lastReportedAt: Date? { reported.values.compactMap(\.at).max() }

    /// What it can be asked for, by its fidelity and by what there is.
    public var capabilities: Set<TwinCapability> {
        var capabilities: Set<TwinCapability> = [.reported]
        if fidelity >= .advanced { capabilities.formUnion([.desired, .pending, .divergence, .history]) }
        if fidelity == .expert, model != nil { capabilities.insert(.prediction) }
        return capabilities
    }

    private func comparableValues(at now: Date) -> (wanted: [String: JSONValue], said: [String: JSONValue]) {
        var (wanted, said): ([String: JSONValue], [String: JSONValue]) = ([:], [:])
        // A plan has nothing to be apart from.
        guard counterpart != .planned else { return (wanted, said) }
        for (entityID, wishes) in desired {
            guard let report = reported[entityID] else { continue }
            for wish in wishes where !wish.isExpired(at: now) {
                for (key, value) in wish.expected(of: report.kind) {
                    wanted["\(entityID)/\(key)"] = value
                    // What was found to be done is done, by the same measure as everywhere: a lamp rounds.
                    // Of a colour only what was asked is compared: a lamp tells more of it.
                    said["\(entityID)/\(key)"] = wish.isReported ? value : report.values[key].map { Self.part($0, askedBy: value) }
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
    /// Whether its time ended before it was reported.
    func isExpired(at now: Date) -> Bool {
        guard !isReported, let until else { return false }
        return until <= now
    }
}
