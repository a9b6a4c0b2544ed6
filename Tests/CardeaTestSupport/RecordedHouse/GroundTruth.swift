import CardeaMind
import CardeaModel
import Foundation

/// The history itself, searched directly.
public struct GroundTruth: Sendable {
    public let house: RecordedHouse
    public static let now = RecordedHouse.now

    public init(house: RecordedHouse) { self.house = house }

    public static func at(_ day: Int, _ time: String) -> Date { min(RecordedHouse.moment(day, time), now) }

    /// When an entity changed to `value`, and by whom.
    public func stateChanges(
        _ entity: String, _ value: String, _ from: Date, _ to: Date, by actor: String? = nil, seenBy asker: RecordedHouse.Asker = .owner
    ) -> [(
        at: Date, actor: String?
    )] {
        var found: [(at: Date, actor: String?)] = []
        var before: String?
        for happening in house.events where happening.entityID == entity {
            guard case .state(let said) = happening.fact else { continue }
            let isNew = said == value && before != value
            before = said
            guard isNew, happening.at >= from, happening.at < to, actor == nil || happening.actor == actor else { continue }
            found.append((happening.at, house.reveals(happening.actor, to: asker) ? happening.actor : nil))
        }
        return found
    }

    public func duration(_ entity: String, _ value: String, _ from: Date, _ to: Date) -> TimeInterval {
        var sum = 0.0
        var since: Date?
        for happening in house.events where happening.entityID == entity && happening.at < to {
            guard case .state(let said) = happening.fact else { continue }
            if let start = since { sum += max(0, happening.at.timeIntervalSince(max(start, from))) }
            since = said == value ? happening.at : nil
        }
        if let start = since { sum += to.timeIntervalSince(max(start, from)) }
        return sum
    }

    public func entitiesInState(_ value: String, of entities: [String]) -> Set<String> {
        Set(
            house.snapshot.devices.filter { device in device.entities.contains { entities.contains($0.id) && $0.state.value == value } }
                .map(
                    \.id))
    }

    public func lights(_ value: String, in rooms: Set<String>? = nil) -> Set<String> {
        Set(
            house.snapshot.devices.filter { device in
                device.entities.contains { $0.kind == .light && $0.state.value == value }
                    && (rooms.map { $0.contains(device.roomID ?? "") } ?? true)
            }.map(\.id))
    }

    public func presence(_ isHome: Bool, _ from: Date, _ to: Date, of who: String? = nil) -> [HouseEvent] {
        house.events.filter { $0.fact == .presence(isHome: isHome) && $0.at >= from && $0.at < to && (who == nil || $0.actor == who) }
    }

    public func seen(_ type: String?, _ from: Date, _ to: Date) -> [HouseEvent] {
        house.events.filter { happening in
            guard case .sighting(let seen, _) = happening.fact, happening.at >= from, happening.at < to else { return false }
            return type == nil || seen == type
        }
    }

    public func refused(_ from: Date, _ to: Date, by who: String? = nil) -> [HouseEvent] {
        house.events.filter { happening in
            guard case .command(_, _, refusal: .some) = happening.fact, happening.at >= from, happening.at < to else { return false }
            return who == nil || happening.actor == who
        }
    }

    /// Commands, and arrivals and departures. A command and the state that follows from it count once.
    public func actions(_ from: Date, _ to: Date, where isMeant: (HouseEvent) -> Bool) -> [HouseEvent] {
        house.events.filter { happening in
            [.asked, .presence].contains(happening.fact.kind) && happening.at >= from && happening.at < to && isMeant(happening)
        }
    }

    public func last(_ entity: String) -> Double { house.hours[entity]?.last?.last ?? .nan }

    public func hours(_ entity: String, _ from: Date, _ to: Date) -> [HourlyReading] {
        (house.hours[entity] ?? []).filter { $0.hour + 3600 > from && $0.hour < to }
    }

    public func used(_ entity: String, _ from: Date, _ to: Date) -> Double { hours(entity, from, to).map(\.used).reduce(0, +) }
    public func mean(_ entity: String, _ from: Date, _ to: Date) -> Double {
        let all = hours(entity, from, to)
        return all.map(\.mean).reduce(0, +) / Double(max(all.count, 1))
    }

    /// The time of their last arrival or departure.
    public func lastPresence(_ isHome: Bool, of asker: RecordedHouse.Asker) -> Date? {
        presence(isHome, .distantPast, Self.now, of: house.key(of: asker)).last?.at
    }

    // MARK: State changes by the contract's rules

    /// Ids of the devices that are offline.
    public var offline: Set<String> { Set(house.snapshot.devices.filter { $0.status == .offline }.map(\.id)) }

    /// For each offline device the last event that took it offline, however long ago.
    public var outages: [HouseEvent] {
        offline.compactMap { id in house.events.last { $0.deviceID == id && $0.fact == .deviceStatus(.offline) } }
    }

    /// Batteries under 15 %.
    public var lowBatteries: Set<String> {
        Set(
            house.snapshot.devices.filter { device in
                device.status != .offline
                    && device.entities.contains { $0.deviceClass == "battery" && Double($0.state.value).map { $0 < 15 } == true }
            }.map(\.id))
    }

    /// Commands refused within the last six hours, as far as the requester may know of them.
    public func refusedLately(seenBy asker: RecordedHouse.Asker) -> [HouseEvent] {
        refused(Self.now - 6 * 3600, Self.now).filter { house.reveals($0.actor, to: asker) }
    }

    /// Commands made and confirmed within the last hour, as far as the requester may know of them.
    public func doneLately(seenBy asker: RecordedHouse.Asker) -> [HouseEvent] {
        house.events.filter { happening in
            guard case .command(_, .confirmed, refusal: nil) = happening.fact else { return false }
            return happening.at > Self.now - 3600 && house.reveals(happening.actor, to: asker)
        }
    }
}
