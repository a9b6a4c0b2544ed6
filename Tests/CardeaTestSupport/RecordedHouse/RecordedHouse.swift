import CardeaMind
import CardeaModel
import Foundation

/// Thirty days of a house in Berlin, including the night in which summer time ends, recorded as in its journal.
public struct RecordedHouse: Sendable {
    public static let shared = RecordedHouse(seed: 2026)

    public static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
        return calendar
    }()

    public var snapshot: HouseSnapshot
    public private(set) var events: [HouseEvent] = []
    /// Sensor readings by entity, oldest first; `hours` has the same by the hour.
    public let readings: [String: [Reading]]
    public let hours: [String: [HourlyReading]]
    public var keys = Keys()

    /// The keys of its people, who differ in what they may see and do.
    public struct Keys: Sendable {
        /// An owner.
        public var ada = "person:ada"
        /// A member who may let guests in.
        public var ben = "person:ben"
        /// A member.
        public var cleo = "person:cleo"
        /// An admin, who is away.
        public var dan = "person:dan"
        public var greta = "guest:greta"
        public var paul = "guest:paul"
        public var goodNight = "good-night"

        public init() {}
    }

    /// The person who asks a question.
    public enum Asker: String, CaseIterable, Sendable {
        case owner, admin, inviter, member

        /// True for those who manage the house: they see everyone's actions, and may open devices that are reserved for managers.
        public var isManager: Bool { self == .owner || self == .admin }

        fileprivate var role: Role {
            switch self {
            case .owner: .owner
            case .admin: .admin
            case .inviter, .member: .member
            }
        }
    }

    /// Thursday, 5 November 2026, 20:15.
    public static let now = moment(0, "20:15")

    public static let owner = shared.visibility(of: .owner)
    public static let member = shared.visibility(of: .member)

    /// A local time, that many days from today; `HH:MM`.
    public static func moment(_ day: Int, _ time: String) -> Date {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        let first = calendar.date(from: DateComponents(year: 2026, month: 11, day: 5)) ?? .distantPast
        let that = calendar.date(byAdding: .day, value: day, to: first) ?? .distantPast
        let hour = parts.first ?? 0
        let whole = calendar.date(byAdding: .day, value: hour / 24, to: that) ?? .distantPast
        return calendar.date(bySettingHour: hour % 24, minute: parts.last ?? 0, second: 0, of: whole) ?? .distantPast
    }

    public init(seed: UInt64) {
        snapshot = HouseSnapshot(name: "Home", zone: Self.calendar.timeZone)
        snapshot.rooms = Self.rooms
        snapshot.scenes = [NamedScene(id: "good-night", name: "Good night"), NamedScene(id: "movie", name: "Movie time")]
        var random = SeededGenerator(state: seed)
        var drafts: [EventDraft] = []
        for day in -29...0 { Self.recordDay(day, &drafts, &random) }
        drafts = drafts.filter { $0.at < Self.now }.sorted { $0.at < $1.at }
        events = drafts.enumerated().map { number, draft in
            HouseEvent(
                id: "happening_\(number + 1)", at: draft.at, deviceID: draft.device, entityID: draft.entity, actor: draft.actor,
                fact: draft.fact)
        }
        readings = Self.readings(&random)
        hours = readings.mapValues { readings -> [HourlyReading] in
            let grouped = Dictionary(grouping: readings) {
                Date(timeIntervalSince1970: ($0.at.timeIntervalSince1970 / 3600).rounded(.down) * 3600)
            }
            var last: Double?
            return grouped.sorted { $0.key < $1.key }.compactMap { hour, readings -> HourlyReading? in
                defer { last = readings.last?.value }
                return HourlyReading(readings, in: hour, after: last)
            }
        }
        var devices = Self.devices
        for happening in events {
            guard let place = devices.firstIndex(where: { $0.id == happening.deviceID }) else { continue }
            switch happening.fact {
            case .state(let value):
                guard let entity = devices[place].entities.firstIndex(where: { $0.id == happening.entityID }) else { continue }
                devices[place].entities[entity].state.value = value
            case .deviceStatus(let status): devices[place].status = status
            default: break
            }
        }
        for place in devices.indices {
            for entity in devices[place].entities.indices {
                guard let last = hours[devices[place].entities[entity].id]?.last else { continue }
                devices[place].entities[entity].state.value = String(last.last)
            }
        }
        snapshot.devices = devices
        func isHome(_ key: String) -> Bool {
            events.last { $0.actor == key && $0.fact.kind == .presence }?.fact == .presence(isHome: true)
        }
        snapshot.people = [(keys.ada, "Ada"), (keys.ben, "Ben"), (keys.cleo, "Cleo"), (keys.dan, "Dan")].map { key, name in
            Inhabitant(key: key, name: name, isHome: isHome(key))
        }
        snapshot.guests = [Inhabitant(key: keys.greta, name: "Greta"), Inhabitant(key: keys.paul, name: "Paul")]
    }

    /// The same history as imported by another house, with the names used there.
    public func imported(as events: [HouseEvent], snapshot: HouseSnapshot, keys: Keys) -> RecordedHouse {
        var house = self
        (house.events, house.snapshot, house.keys) = (events, snapshot, keys)
        return house
    }

    // MARK: Askers

    public func key(of asker: Asker) -> String {
        switch asker {
        case .owner: keys.ada
        case .admin: keys.dan
        case .inviter: keys.ben
        case .member: keys.cleo
        }
    }

    /// By their rights, which are the same everywhere.
    public func visibility(of asker: Asker) -> RequesterVisibility {
        let person = Person(
            id: String(key(of: asker).dropFirst("person:".count)), username: nil, name: "", role: asker.role,
            canInviteGuests: asker == .inviter, isDisabled: false, createdAt: .distantPast, lastSeenAt: nil)
        return RequesterVisibility(of: person)
    }

    /// Returns whether an requester may know who did something.
    public func reveals(_ actor: String?, to asker: Asker) -> Bool {
        guard let actor else { return asker.isManager }
        return asker.isManager || actor == key(of: asker) || (asker == .inviter && actor.hasPrefix("guest:"))
    }
}
