import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Tells everybody who lives here, by a notice, that doors have not been known for a minute, and that they are known again.
public final class DoorWatch: Service, Sendable {
    private let store: Store
    private let house: House
    private let devices: Devices
    private let commands: Commands
    private let surroundings: Surroundings
    private let logger: Logger
    /// Nil until the journal has been read for what an earlier run told.
    private let doors = Mutex<UnknownDoors?>(nil)

    /// Seconds from one look to the next.
    static let pause: TimeInterval = 5

    init(store: Store, house: House, devices: Devices, commands: Commands, surroundings: Surroundings, logger: Logger) {
        self.store = store
        self.house = house
        self.devices = devices
        self.commands = commands
        self.surroundings = surroundings
        self.logger = logger
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                do {
                    try await look()
                } catch is CancellationError {
                    return
                } catch {
                    // It is told with a later look.
                    logger.warning("doors that are not known could not be told", metadata: ["error": "\(type(of: error))"])
                }
                do { try await surroundings.sleep(surroundings.now().addingTimeInterval(Self.pause)) } catch is CancellationError { return }
            }
        }
    }

    /// Looks once. `run` does it; nobody else need.
    public func look() async throws {
        let known = doors.withLock { $0 }
        var unknown: UnknownDoors
        if let known { unknown = known } else { unknown = UnknownDoors(told: try await lastTold()) }
        let (now, ways) = (surroundings.now(), UnknownDoors.Door.all(in: devices.all.devices))
        let concerned = unknown.connections.union(ways.filter { !$0.isKnown }.map(\.integration))
        let news = unknown.look(at: ways, down: await down(concerned), now: now)
        if !news.isEmpty { try await tell(news, at: now) }
        doors.withLock { [unknown] in $0 = unknown }
    }

    /// Those of the integrations whose connection does not stand.
    private func down(_ integrations: Set<String>) async -> Set<String> {
        var down: Set<String> = []
        for integration in integrations {
            let health = await commands.backend(integration)?.health()
            if health?.status != .connected { down.insert(integration) }
        }
        return down
    }

    private func tell(_ news: [UnknownDoors.News], at now: Date) async throws {
        let zone = house.now.timeZone
        try await store.write { db in
            for one in news {
                let first = (one.isLoss ? one.lost : one.found).first?.name ?? one.integration
                let incident = "reach:\(one.isLoss ? "lost" : "found"):\(first)"
                let devices = Set(one.doors.map(\.deviceID))
                try Journal.append(
                    .mindChanged, deviceID: devices.count == 1 ? devices.first : nil, subject: "\(incident):\(now.milliseconds)",
                    data: [
                        "notice": .string(NoticeKind.unusual.rawValue), "words": .string(one.words(now: now, in: zone)),
                        "incident": .string(incident), "lost": .array(one.lost.map { .string($0.name) }),
                        "found": .array(one.found.map { .string($0.name) }),
                    ], at: now, in: db)
            }
        }
    }

    /// What an earlier run of the hub told of, and nobody took back.
    private func lastTold() async throws -> Set<UnknownDoors.Cause> {
        try await store.read { db in
            let rows = try String.fetchAll(
                db,
                sql: """
                    SELECT opened(data, 'journal.data', seq) FROM journal
                    WHERE kind = 'mind_changed' AND subject GLOB 'reach:*' ORDER BY seq
                    """)
            var told: Set<UnknownDoors.Cause> = []
            for row in rows {
                let data = try JSONText.object(row)
                func causes(_ name: String) -> [UnknownDoors.Cause] {
                    guard case .array(let names)? = data[name] else { return [] }
                    return names.compactMap { $0.string.flatMap { UnknownDoors.Cause(named: $0) } }
                }
                told.formUnion(causes("lost"))
                told.subtract(causes("found"))
            }
            return told
        }
    }
}
