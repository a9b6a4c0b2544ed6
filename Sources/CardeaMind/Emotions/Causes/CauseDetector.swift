import CardeaModel
import Foundation

/// All that feelings are made of: the house as it stands, what happened of late, what sensors showed and what is usual.
public struct CauseDetector: Sendable {
    public let house: HouseSnapshot
    /// Of the last day at least, and from before that what lasts until now began with; a part of them makes fewer causes, not wrong ones.
    public let events: [HouseEvent]
    /// By entity, oldest first: of the last day or so.
    public let hours: [String: [HourlyReading]]
    public let habits: Habits
    public let knownSince: KnownSince
    /// Nil where the house has none: then night is from 23:00 to 06:00.
    public let quietHours: QuietHours?
    public let now: Date
    /// In whose words causes are told.
    let lexicon: Lexicon
    let entityIndex: EntityIndex
    private let byEntity: [String: [HouseEvent]]

    public init(
        picture: HouseSnapshot, happenings: [HouseEvent] = [], hours: [String: [HourlyReading]] = [:], habits: Habits? = nil,
        acquaintances: KnownSince = KnownSince(), quietHours: QuietHours? = nil, now: Date, in lexicon: Lexicon = .standard
    ) {
        self.house = picture
        // In one order, whatever the order they came in; what lies ahead has not happened.
        self.events = happenings.filter { $0.at <= now }.sorted { $0.at != $1.at ? $0.at < $1.at : $0.id < $1.id }
        self.hours = hours
        self.habits = habits ?? Habits(zone: picture.zone)
        self.knownSince = acquaintances
        self.quietHours = quietHours
        self.now = now
        self.lexicon = lexicon
        entityIndex = EntityIndex(picture)
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

    func age(of happening: HouseEvent) -> TimeInterval { now.timeIntervalSince(happening.at) }

    /// What happened within the last `seconds`, oldest first.
    func recent(_ seconds: TimeInterval) -> some Sequence<HouseEvent> {
        events.reversed().prefix { age(of: $0) <= seconds }.reversed()
    }

    /// Whether what an entity said is among what happened.
    func hasReported(_ entityID: String) -> Bool { byEntity[entityID] != nil }

    /// What made an entity say what `holds` is true of, without a break until now.
    func beginning(of entityID: String, where holds: (String) -> Bool) -> HouseEvent? {
        var first: HouseEvent?
        for happening in (byEntity[entityID] ?? []).reversed() {
            guard case .state(let word) = happening.fact, holds(word) else { break }
            first = happening
        }
        return first
    }

    /// The last that is known of something whose beginning is not: what it said, or else what its device said or how that stood, or what
    /// its sensors showed. Whose doing it was is no part of it: whoever sees the device may be told.
    func lastReport(of entityID: String? = nil, on device: Device) -> EvidenceReference? {
        let own = entityID.flatMap { byEntity[$0]?.last }
        if let word = own ?? events.last(where: { Self.isReport($0, of: device) }) { return EvidenceReference(word) }
        // A sensor is not heard, but read.
        let read = Self.sensors(of: device).compactMap { id in
            (hours[id]?.last).flatMap { ReadingEvidence(of: id, [$0]) }
        }
        return read.max { $0.from < $1.from }.map { EvidenceReference($0, of: device) }
    }

    /// Whether a device said it, or it tells how the device stands.
    static func isReport(_ happening: HouseEvent, of device: Device) -> Bool {
        happening.deviceID == device.id && (happening.fact.kind == .state || happening.fact.kind == .standing)
    }

    /// Those that whoever sees the device may be told of.
    static func sensors(of device: Device) -> [String] {
        device.entities.filter { $0.isEnabled && $0.kind == .sensor && !Metering.isEnergy($0.deviceClass) }.map(\.id)
    }

    /// Every reason for a feeling, in the order of their ids.
    public func causes() -> [Cause] {
        let rules = [
            outOfReach, lowBatteries, jammedLocks, alarms, openWaysIn, refusals, arrivals, absence, inactivity, temperatures, air,
            commandOutcomes, newDevices,
            learnedHabits, deviations,
        ]
        let all = rules.flatMap { $0() }
        // As long as it burns, nothing gladdens.
        let causes = all.contains(where: \.isDanger) ? all.filter { $0.effects.happiness <= 0 && $0.effects.excitement <= 0 } : all
        return Dictionary(causes.map { ($0.id, $0) }) { one, _ in one }.values.sorted { $0.id < $1.id }
    }

    static let hour: TimeInterval = 3600
    static let day: TimeInterval = 86400
}
