import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import GRDB
import Logging
import Synchronization

/// Reads the hub's house for the mind. Mind and hub do not know each other; this adapter connects them.
public struct HubHouseReader: HouseReader {
    let feed: MindFeed

    public init(_ insight: MindFeed) {
        self.feed = insight
    }

    public func house() async throws -> HouseSnapshot {
        let view = try await feed.snapshot()
        var picture = HouseSnapshot(
            name: view.name, zone: view.zone, rooms: view.rooms, devices: view.devices,
            people: view.people.map { Inhabitant(key: "person:\($0.id)", name: $0.name, isHome: $0.presence?.isHome) },
            guests: view.guests.map { Inhabitant(key: "guest:\($0.id)", name: $0.name) },
            scenes: view.scenes.map { NamedScene(id: $0.id, name: $0.name) }, quietHours: view.preferences.quietHours)
        picture.cameras = view.cameras.map { NamedCamera(id: $0.place, name: $0.name) }
        picture.defaultTemperature = view.preferences.defaultTemperature
        picture.isOnVacation = view.preferences.isOnVacation
        return picture
    }

    public func events(after place: FeedPosition, limit: Int) async throws -> HouseEventBatch {
        try await feed.read { [self] in try events(after: place, limit: limit, in: $0) }
    }

    public func erasureMarker(in db: Database) throws -> String? { try feed.erasures(in: db) }

    public func events(after place: FeedPosition, limit: Int, in db: Database) throws -> HouseEventBatch {
        let (rows, journal) = try feed.journalEvents(after: place.journal, limit: limit, in: db)
        // Without other events the position stays where it is: a person reading the audit log is no event.
        let (refusals, trail) = try feed.refusals(after: place.trail, limit: limit, isPassing: journal != place.journal, in: db)
        let deleted = rows.filter { if case .eventDeleted = $0.fact { true } else { false } }.map(\.source)
        return HouseEventBatch(
            events: (rows + refusals).sorted { $0.at < $1.at }.compactMap(Self.reportedEvent), deleted: deleted,
            through: FeedPosition(journal: journal, trail: trail))
    }

    public func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading] {
        try await feed.hours(of: entityID, from: from, to: to)
    }

    public func changes() -> AsyncStream<Void> { feed.changes() }

    private static func reportedEvent(_ one: MindFeed.MindFeedEvent) -> ReportedHouseEvent? {
        func houseEvent(_ device: String?, _ entity: String?, _ actor: String?, _ fact: HouseEvent.Fact, _ report: StateReportKind? = nil)
            -> ReportedHouseEvent
        {
            ReportedHouseEvent(
                HouseEvent(id: "", at: one.at, deviceID: device, entityID: entity, actor: actor, fact: fact, report: report),
                source: one.source)
        }
        return switch one.fact {
        case .reported(let device, let entity, let state, let report): houseEvent(device, entity, nil, .state(state), report)
        case .deviceStatus(let device, let status): houseEvent(device, nil, nil, .deviceStatus(status))
        case .command(let command):
            houseEvent(
                command.deviceID, command.entityID, command.principal, .command(command.verb, command.status, refusal: nil))
        case .event(let event): houseEvent(nil, event.place, nil, .sighting(type: event.type.rawValue, words: event.description))
        case .eventDeleted: nil
        case .presence(let person, let isHome): houseEvent(nil, nil, "person:\(person)", .presence(isHome: isHome))
        case .refused(let who, let verb, let device, let entity, let reason):
            houseEvent(device, entity, who, .command(verb, .failed, refusal: reason ?? "refused"))
        }
    }
}

extension Mind {
    /// The mind of a hub's house.
    public convenience init(of hub: Hub, automations: any AutomationRunner, reworder: (any Reworder)? = nil, logger: Logger) throws {
        let time = TimeSource(now: hub.environment.now, sleep: hub.environment.sleep)
        let houseReader = HubHouseReader(hub.mindFeed)
        try self.init(
            store: hub.store, houseReader: houseReader, records: houseReader, automations: automations, reworder: reworder, time: time,
            logger: logger)
        hub.attach(MindPersonalDataProvider(self))
    }
}
