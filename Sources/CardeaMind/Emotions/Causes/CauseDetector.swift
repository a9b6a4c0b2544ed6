import CardeaModel
import Foundation

/// Derives causes from the present house, recent events, sensor readings and habits.
public struct CauseDetector: Sendable {
    public let house: HouseSnapshot
    /// The events of the last day at least, and from before that the beginnings of what still lasts. With a part of them there are fewer
    /// causes, but not wrong ones.
    public let events: [HouseEvent]
    /// By entity, oldest first: the hours of the last day or so.
    public let hours: [String: [HourlyReading]]
    public let habits: Habits
    public let firstSeen: DeviceFirstSeen
    /// Nil if the house has none. Then night is from 23:00 to 06:00.
    public let quietHours: QuietHours?
    public let now: Date
    /// The words in which causes are expressed.
    let lexicon: Lexicon
    let entityIndex: EntityIndex
    private let byEntity: [String: [HouseEvent]]

    public init(
        snapshot: HouseSnapshot, events: [HouseEvent] = [], hours: [String: [HourlyReading]] = [:], habits: Habits? = nil,
        firstSeen: DeviceFirstSeen = DeviceFirstSeen(), quietHours: QuietHours? = nil, now: Date, in lexicon: Lexicon = .standard
    ) {
        self.house = snapshot
        // Sorted, so that the order of the input does not matter; events in the future are left out.
        self.events = events.filter { $0.at <= now }.sorted { $0.at != $1.at ? $0.at < $1.at : $0.id < $1.id }
        self.hours = hours
        self.habits = habits ?? Habits(zone: snapshot.zone)
        self.firstSeen = firstSeen
        self.quietHours = quietHours
        self.now = now
        self.lexicon = lexicon
        entityIndex = EntityIndex(snapshot)
        byEntity = Dictionary(grouping: self.events.filter { $0.fact.kind == .state }, by: { $0.entityID ?? "" })
    }

    var isNight: Bool { isNight(at: now) }

    func isNight(at moment: Date) -> Bool {
        if let quietHours { return quietHours.contains(moment, in: house.zone) }
        let hour = LocalHour(moment, in: house.zone).hour
        return hour >= 23 || hour < 6
    }

    /// "since 22:05".
    func since(_ moment: Date) -> String { LocalHour.since(moment, at: now, in: house.zone, lexicon) }

    func age(of event: HouseEvent) -> TimeInterval { now.timeIntervalSince(event.at) }

    /// The events of the last `seconds`, oldest first.
    func recent(_ seconds: TimeInterval) -> some Sequence<HouseEvent> {
        events.reversed().prefix { age(of: $0) <= seconds }.reversed()
    }

    /// Returns true if the loaded events contain a state of this entity.
    func hasReported(_ entityID: String) -> Bool { byEntity[entityID] != nil }

    /// The event since which `holds` has been true of the entity's state without a break.
    func beginning(of entityID: String, where holds: (String) -> Bool) -> HouseEvent? {
        var first: HouseEvent?
        for event in (byEntity[entityID] ?? []).reversed() {
            guard case .state(let word) = event.fact, holds(word) else { break }
            first = event
        }
        return first
    }

    /// The last known event of a subject whose beginning is not known: a state of the entity, otherwise of its device, otherwise the
    /// device's status or its sensors' readings. The actor is left out, so every requester who sees the device may see it.
    func lastReport(of entityID: String? = nil, on device: Device) -> EvidenceReference? {
        let own = entityID.flatMap { byEntity[$0]?.last }
        if let word = own ?? events.last(where: { Self.isReport($0, of: device) }) { return EvidenceReference(word) }
        // Sensors have no events, only readings.
        let read = Self.sensors(of: device).compactMap { id in
            (hours[id]?.last).flatMap { ReadingEvidence(of: id, [$0]) }
        }
        return read.max { $0.from < $1.from }.map { EvidenceReference($0, of: device) }
    }

    /// Returns true if the event is a state of this device's entities or a status of the device.
    static func isReport(_ event: HouseEvent, of device: Device) -> Bool {
        event.deviceID == device.id && (event.fact.kind == .state || event.fact.kind == .standing)
    }

    /// The sensors of a device that every requester who sees the device may see.
    static func sensors(of device: Device) -> [String] {
        device.entities.filter { $0.isEnabled && $0.kind == .sensor && !EnergyMetering.isEnergy($0.deviceClass) }.map(\.id)
    }

    /// All causes, ordered by id.
    public func causes() -> [Cause] {
        let rules = [
            outOfReach, lowBatteries, jammedLocks, alarms, openWaysIn, refusals, arrivals, absence, inactivity, temperatures, air,
            commandOutcomes, newDevices,
            learnedHabits, deviations,
        ]
        let all = rules.flatMap { $0() }
        // During a danger no cause adds happiness or excitement.
        let causes = all.contains(where: \.isDanger) ? all.filter { $0.effects.happiness <= 0 && $0.effects.excitement <= 0 } : all
        return Dictionary(causes.map { ($0.id, $0) }) { one, _ in one }.values.sorted { $0.id < $1.id }
    }

    static let hour: TimeInterval = 3600
    static let day: TimeInterval = 86400
}
