import CardeaMind
import CardeaModel
import Foundation
import GRDB

/// The recorded house as the mind reads and remembers it, all in memory. No command is sent to its doors.
public struct RecordedHouseReader: HouseHistory, HouseReader, CommandHistoryReader {
    private let house: RecordedHouse

    public init(_ house: RecordedHouse) { self.house = house }

    public func events(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> [HouseEvent] {
        let all = wanted.newestFirst ? Array(house.events.reversed()) : house.events
        var found: [HouseEvent] = []
        for happening in all {
            guard let seen = visibility.redacted(happening),
                wanted.devices.map({ devices in happening.deviceID.map(devices.contains) ?? false }) ?? true,
                wanted.entities.map({ entities in happening.entityID.map(entities.contains) ?? false }) ?? true,
                wanted.actors.map({ actors in seen.actor.map(actors.contains) ?? false }) ?? true,
                wanted.kinds.map({ $0.contains(happening.fact.kind) }) ?? true,
                wanted.from.map({ happening.at >= $0 }) ?? true, wanted.to.map({ happening.at < $0 }) ?? true
            else { continue }
            found.append(seen)
            if found.count == wanted.limit { break }
        }
        return found
    }

    public func hours(of entityID: String, from: Date, to: Date, seenBy visibility: RequesterVisibility) async throws -> [HourlyReading] {
        guard let device = house.snapshot.devices.first(where: { $0.entities.contains { $0.id == entityID } }),
            visibility.seesDevice(device.id)
        else { return [] }
        return (house.hours[entityID] ?? []).filter { $0.hour >= from && $0.hour < to }
    }

    public func house() async throws -> HouseSnapshot { house.snapshot }
    public func events(after place: FeedPosition, limit: Int) async throws -> HouseEventBatch {
        HouseEventBatch(events: [], through: place)
    }
    public func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    public func commands(of deviceID: String?, since: Date) async throws -> [RecordedCommand] { [] }

    public func replay(since: Date) async throws -> AccessReplay {
        AccessReplay([], under: .init(zone: house.snapshot.zone, grants: [:], devices: house.snapshot.devices))
    }

    public func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading] {
        (house.hours[entityID] ?? []).filter { $0.hour >= from && $0.hour < to }
    }
}

/// For a house without erasures and without new events.
extension HouseReader {
    public func events(after place: FeedPosition, limit: Int, in db: Database) throws -> HouseEventBatch {
        HouseEventBatch(events: [], through: place)
    }
    public func erasureMarker(in db: Database) throws -> String? { "" }
}
