import CardeaModel
import Foundation

/// All that feelings are made of: the house as it stands, what happened of late, what sensors showed and what is usual.
public struct Outlook: Sendable {
    public let picture: HousePicture
    /// Of the last day at least, and from before that what lasts until now began with; a part of them makes fewer causes, not wrong ones.
    public let happenings: [Happening]
    /// By entity, oldest first: of the last day or so.
    public let hours: [String: [HourlyReading]]
    public let habits: Habits
    public let acquaintances: Acquaintances
    /// Nil where the house has none: then night is from 23:00 to 06:00.
    public let quietHours: QuietHours?
    public let now: Date
    /// In whose words causes are told.
    let lexicon: Lexicon
    let inventory: Inventory
    private let byEntity: [String: [Happening]]

    public init(
        picture: HousePicture, happenings: [Happening] = [], hours: [String: [HourlyReading]] = [:], habits: Habits? = nil,
        acquaintances: Acquaintances = Acquaintances(), quietHours: QuietHours? = nil, now: Date, in lexicon: Lexicon = .standard
    ) {
        self.picture = picture
        // In one order, whatever the order they came in; what lies ahead has not happened.
        self.happenings = happenings.filter { $0.at <= now }.sorted { $0.at != $1.at ? $0.at < $1.at : $0.id < $1.id }
        self.hours = hours
        self.habits = habits ?? Habits(zone: picture.zone)
        self.acquaintances = acquaintances
        self.quietHours = quietHours
        self.now = now
        self.lexicon = lexicon
        inventory = Inventory(picture)
        byEntity = Dictionary(grouping: self.happenings.filter { $0.fact.kind == .state }, by: { $0.entityID ?? "" })
    }

    var isNight: Bool { isNight(at: now) }

    func isNight(at moment: Date) -> Bool {
        if let quietHours { return quietHours.contains(moment, in: picture.zone) }
        let hour = HouseHour(moment, in: picture.zone).hour
        return hour >= 23 || hour < 6
    }

    /// "since 22:05".
    func since(_ moment: Date) -> String { HouseHour.since(moment, at: now, in: picture.zone, lexicon) }

    func age(of happening: Happening) -> TimeInterval { now.timeIntervalSince(happening.at) }

    /// What happened within the last `seconds`, oldest first.
    func recent(_ seconds: TimeInterval) -> some Sequence<Happening> {
        happenings.reversed().prefix { age(of: $0) <= seconds }.reversed()
    }

    /// Whether what an entity said is among what happened.
    func hasSpoken(_ entityID: String) -> Bool { byEntity[entityID] != nil }

    /// What made an entity say what `holds` is true of, without a break until now.
    func beginning(of entityID: String, where holds: (String) -> Bool) -> Happening? {
        var first: Happening?
        for happening in (byEntity[entityID] ?? []).reversed() {
            guard case .state(let word) = happening.fact, holds(word) else { break }
            first = happening
        }
        return first
    }

    /// The last that is known of something whose beginning is not: what it said, or else what its device said or how that stood, or what
    /// its sensors showed. Whose doing it was is no part of it: whoever sees the device may be told.
    func lastWord(of entityID: String? = nil, on device: Device) -> Ground? {
        let own = entityID.flatMap { byEntity[$0]?.last }
        if let word = own ?? happenings.last(where: { Self.isWord($0, of: device) }) { return Ground(word) }
        // A sensor is not heard, but read.
        let read = Self.sensors(of: device).compactMap { id in
            (hours[id]?.last).flatMap { ReadingEvidence(of: id, [$0]) }
        }
        return read.max { $0.from < $1.from }.map { Ground($0, of: device) }
    }

    /// Whether a device said it, or it tells how the device stands.
    static func isWord(_ happening: Happening, of device: Device) -> Bool {
        happening.deviceID == device.id && (happening.fact.kind == .state || happening.fact.kind == .standing)
    }

    /// Those that whoever sees the device may be told of.
    static func sensors(of device: Device) -> [String] {
        device.entities.filter { $0.isEnabled && $0.kind == .sensor && !Metering.isEnergy($0.deviceClass) }.map(\.id)
    }

    /// Every reason for a feeling, in the order of their ids.
    public func causes() -> [Cause] {
        let rules = [
            outOfReach, lowBatteries, jams, alarms, waysIn, refusals, comings, absence, quiet, temperatures, air, obedience, newcomers,
            discoveries, deviations,
        ]
        let all = rules.flatMap { $0() }
        // As long as it burns, nothing gladdens.
        let causes = all.contains(where: \.isDanger) ? all.filter { $0.effects.happiness <= 0 && $0.effects.excitement <= 0 } : all
        return Dictionary(causes.map { ($0.id, $0) }) { one, _ in one }.values.sorted { $0.id < $1.id }
    }

    static let hour: TimeInterval = 3600
    static let day: TimeInterval = 86400
}
