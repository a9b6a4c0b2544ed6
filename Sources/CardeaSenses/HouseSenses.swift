import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import GRDB
import Logging
import Synchronization

/// The hub's house, as the mind perceives it. Neither of the two knows the other; whoever puts the house together has them meet here.
public struct HouseSenses: Senses {
    let insight: Insight

    public init(_ insight: Insight) {
        self.insight = insight
    }

    public func house() async throws -> HousePicture {
        let view = try await insight.view()
        var picture = HousePicture(
            name: view.name, zone: view.zone, rooms: view.rooms, devices: view.devices,
            people: view.people.map { Inhabitant(key: "person:\($0.id)", name: $0.name, isHome: $0.presence?.isHome) },
            guests: view.guests.map { Inhabitant(key: "guest:\($0.id)", name: $0.name) },
            scenes: view.scenes.map { NamedScene(id: $0.id, name: $0.name) }, quietHours: view.preferences.quietHours)
        picture.cameras = view.cameras.map { NamedCamera(id: $0.place, name: $0.name) }
        picture.defaultTemperature = view.preferences.defaultTemperature
        picture.isOnVacation = view.preferences.isOnVacation
        return picture
    }

    public func happenings(after place: SensesPlace, limit: Int) async throws -> Perception {
        try await insight.read { [self] in try happenings(after: place, limit: limit, in: $0) }
    }

    public func erasures(in db: Database) throws -> String? { try insight.erasures(in: db) }

    public func happenings(after place: SensesPlace, limit: Int, in db: Database) throws -> Perception {
        let (rows, journal) = try insight.journal(after: place.journal, limit: limit, in: db)
        // Where nothing else happened, the place stays where it is: it is no news that somebody read the record.
        let (refusals, trail) = try insight.refusals(after: place.trail, limit: limit, isPassing: journal != place.journal, in: db)
        let deleted = rows.filter { if case .eventDeleted = $0.fact { true } else { false } }.map(\.source)
        return Perception(
            told: (rows + refusals).sorted { $0.at < $1.at }.compactMap(Self.told), deleted: deleted,
            through: SensesPlace(journal: journal, trail: trail))
    }

    public func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading] {
        try await insight.hours(of: entityID, from: from, to: to)
    }

    public func changes() -> AsyncStream<Void> { insight.changes() }

    private static func told(_ one: Insight.Occurrence) -> ToldHappening? {
        func happening(_ device: String?, _ entity: String?, _ actor: String?, _ fact: Happening.Fact, _ report: ReportKind? = nil)
            -> ToldHappening
        {
            ToldHappening(
                Happening(id: "", at: one.at, deviceID: device, entityID: entity, actor: actor, fact: fact, report: report),
                source: one.source)
        }
        return switch one.fact {
        case .said(let device, let entity, let state, let report): happening(device, entity, nil, .state(state), report)
        case .stands(let device, let status): happening(device, nil, nil, .standing(status))
        case .command(let command):
            happening(
                command.deviceID, command.entityID, command.principal, .asked(command.verb, command.status, refusal: nil))
        case .event(let event): happening(nil, event.place, nil, .seen(type: event.type.rawValue, words: event.description))
        case .eventDeleted: nil
        case .presence(let person, let isHome): happening(nil, nil, "person:\(person)", .presence(isHome: isHome))
        case .refused(let who, let verb, let device, let entity, let reason):
            happening(device, entity, who, .asked(verb, .failed, refusal: reason ?? "refused"))
        }
    }
}

extension Mind {
    /// The mind of a hub's house.
    public convenience init(of hub: Hub, reworder: (any Reworder)? = nil, logger: Logger) throws {
        let time = Time(now: hub.surroundings.now, sleep: hub.surroundings.sleep)
        let senses = HouseSenses(hub.insight)
        try self.init(
            store: hub.store, senses: senses, records: senses, hands: AutomationHands(hub.automationDesk), reworder: reworder,
            time: time, logger: logger)
        hub.tell(MindMemory(self))
    }
}

/// The mind as one of those who remember people. Whoever has the hub has no hold on the mind by it.
private struct MindMemory: PersonalMemory {
    private final class Hold: Sendable {
        private let mind: Mutex<Weak>

        private struct Weak { weak var mind: Mind? }

        init(_ mind: Mind) { self.mind = Mutex(Weak(mind: mind)) }

        var held: Mind? { mind.withLock { $0.mind } }
    }

    private let hold: Hold

    init(_ mind: Mind) { hold = Hold(mind) }

    func learned(of key: String) async throws -> [JSONValue] { try hold.held?.learned(of: key) ?? [] }

    func forget(_ key: String, names: [String]) async throws -> Int {
        try await hold.held?.forget(person: key, names: names) ?? 0
    }
}
