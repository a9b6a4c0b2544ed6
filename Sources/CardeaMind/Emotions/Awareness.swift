import CardeaModel
import Foundation

/// The measured share of the house that the mind perceives now, and its activity.
public struct Awareness: Codable, Hashable, Sendable {
    public let status: ConsciousnessStatus
    /// 0 to 1: the weighted mean of the parts.
    public let level: Double
    public let parts: [Part]
    /// The reason for the status, as a sentence.
    public let reason: String

    /// One measurement.
    public struct Part: Codable, Hashable, Sendable {
        public let name: Name
        /// 0 to 1.
        public let value: Double
        public let weight: Double
        public let words: String

        public enum Name: String, Codable, Hashable, Sendable, CaseIterable {
            /// The share of devices that are online.
            case devices
            /// The mind's progress in reading the journal.
            case journal
            /// The share of sensors that reported recently.
            case sensors
        }
    }

    /// The measurements that awareness is calculated from. For an requester who may not see the whole house, pass the part of the snapshot
    /// that they see.
    public struct Signals: Sendable {
        public var house: HouseSnapshot
        /// The last report of each sensor, by entity id. For a missing entity, the last report of its device counts.
        public var lastReports: [String: Date]
        /// True if the last read of the house succeeded.
        public var houseReaderResponds: Bool
        /// The age of the oldest journal row that was not processed yet, in seconds; 0 if all were.
        public var journalLag: TimeInterval
        /// The events of at least the last hour, in any order.
        public var events: [HouseEvent]
        public var quietHours: QuietHours?
        /// Seconds for which the longest running phase has been running.
        public var phaseDuration: TimeInterval

        public init(
            snapshot: HouseSnapshot, lastReports: [String: Date] = [:], houseReaderResponds: Bool = true, journalLag: TimeInterval = 0,
            events: [HouseEvent] = [], quietHours: QuietHours? = nil, phaseDuration: TimeInterval = 0
        ) {
            self.house = snapshot
            self.lastReports = lastReports
            self.houseReaderResponds = houseReaderResponds
            self.journalLag = journalLag
            self.events = events
            self.quietHours = quietHours
            self.phaseDuration = phaseDuration
        }
    }

    /// Seconds. A sensor that was silent for longer counts as not reporting; a house without activity for longer counts as inactive.
    public static let sensorSilenceLimit: TimeInterval = 7200
    public static let inactivityLimit: TimeInterval = 1800
    /// Seconds. If a phase takes longer, the house counts as busy.
    public static let longPhaseLimit: TimeInterval = 1

    /// - Parameter lexicon: the words of the texts.
    public init(_ signals: Signals, at now: Date, in lexicon: Lexicon = .standard) {
        let parts = signals.houseReaderResponds ? Self.parts(signals, at: now, lexicon) : []
        let weights = parts.reduce(0) { $0 + $1.weight }
        self.parts = parts
        level = weights > 0 ? min(max(parts.reduce(0) { $0 + $1.value * $1.weight } / weights, 0), 1) : 0
        let (status, stateSentence) = Self.status(signals, at: now)
        self.status = status
        reason = lexicon.stateText(stateSentence)
    }

    private static func status(_ signals: Signals, at now: Date) -> (ConsciousnessStatus, StateSentence) {
        guard signals.houseReaderResponds else { return (.inactive, .sensesSilent) }
        if signals.phaseDuration > longPhaseLimit { return (.processing, .isBusy) }
        if let quiet = signals.quietHours, quiet.contains(now, in: signals.house.zone), !isAnybodyActive(signals, at: now) {
            return (.sleeping, .isQuiet)
        }
        return (.active, .isAwake)
    }

    /// Returns true if a person did something within the last half hour, or a device that people set off moved.
    private static func isAnybodyActive(_ signals: Signals, at now: Date) -> Bool {
        let inventory = EntityIndex(signals.house)
        return signals.events.contains { event in
            guard (0...inactivityLimit).contains(now.timeIntervalSince(event.at)) else { return false }
            switch event.fact {
            case .command, .presence(isHome: true): return event.actor.map(isPerson) ?? true
            case .sighting, .deviceStatus, .presence: return false
            case .state(let word):
                guard let place = inventory[event.entityID] else { return false }
                if place.entity.kind == .binarySensor {
                    let isMotion = ["motion", "occupancy", "presence", "door", "opening"].contains(place.entity.deviceClass ?? "")
                    return isMotion && word == "on"
                }
                // A lamp or a door without an actor was moved by hand; a change by an integration was not.
                guard let sort = RestStateKind(place.entity) else { return false }
                return event.actor.map(isPerson) ?? (sort != .other)
            }
        }
    }

    /// Returns true for a person; other systems (`integration:`) and automations do not count.
    private static func isPerson(_ actor: String) -> Bool { !actor.hasPrefix("integration:") && !actor.hasPrefix("automation:") }

    private static func parts(_ signals: Signals, at now: Date, _ lexicon: Lexicon) -> [Part] {
        var parts: [Part] = []
        // A planned device is not offline.
        let devices = signals.house.devices.filter { !$0.isPlanned }
        if !devices.isEmpty {
            let online = devices.filter { $0.status == .online }.count
            parts.append(
                Part(
                    name: .devices, value: Double(online) / Double(devices.count), weight: 0.4,
                    words: lexicon.stateText(.devicesReached, [.number: "\(online)", .count: "\(devices.count)"])))
        }
        let lag = signals.journalLag.isFinite ? max(signals.journalLag, 0) : .greatestFiniteMagnitude
        // A lag of ten seconds counts as none; from ten minutes on the present state is unknown.
        let freshness = min(max(1 - (lag - 10) / 590, 0), 1)
        parts.append(
            Part(
                name: .journal, value: freshness, weight: 0.3,
                words: lag <= 10 ? lexicon.stateText(.knowsAll) : lexicon.stateText(.isBehind, [.number: "\(Int(min(lag, 1e9)))"])))
        let sensors = devices.flatMap { device in
            device.entities.filter { $0.isEnabled && $0.kind == .sensor }.map { (device, $0) }
        }
        if !sensors.isEmpty {
            let lastReports = sensors.filter { device, sensor in
                guard device.status != .offline, let last = signals.lastReports[sensor.id] ?? device.lastSeenAt else { return false }
                return now.timeIntervalSince(last) <= sensorSilenceLimit
            }.count
            parts.append(
                Part(
                    name: .sensors, value: Double(lastReports) / Double(sensors.count), weight: 0.3,
                    words: lexicon.stateText(.sensorsHeard, [.number: "\(lastReports)", .count: "\(sensors.count)"])))
        }
        return parts
    }
}
