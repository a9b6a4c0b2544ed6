import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Notifies every resident that the state of doors has been unknown for a minute, and that it is known again.
public final class DoorAvailabilityMonitor: Service, Sendable {
    private let store: Store
    private let house: House
    private let devices: Devices
    private let commands: Commands
    private let environment: HubEnvironment
    private let logger: Logger
    /// Nil until the notifications of an earlier run have been read from the journal.
    private let tracker = Mutex<DoorAvailabilityTracker?>(nil)

    /// Seconds between two checks.
    static let interval: TimeInterval = 5

    init(store: Store, house: House, devices: Devices, commands: Commands, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.house = house
        self.devices = devices
        self.commands = commands
        self.environment = environment
        self.logger = logger
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                do {
                    try await check()
                } catch is CancellationError {
                    return
                } catch {
                    // A later check notifies.
                    logger.warning("unknown-door notification could not be sent", metadata: ["error": "\(type(of: error))"])
                }
                do { try await environment.sleep(environment.now().addingTimeInterval(Self.interval)) } catch is CancellationError {
                    return
                }
            }
        }
    }

    /// Checks once. `run` calls it.
    public func check() async throws {
        let known = tracker.withLock { $0 }
        var unknown: DoorAvailabilityTracker
        if let known { unknown = known } else { unknown = DoorAvailabilityTracker(notified: try await loadNotifiedCauses()) }
        let (now, ways) = (environment.now(), DoorAvailabilityTracker.Door.all(in: devices.all.devices))
        let concerned = unknown.connections.union(ways.filter { !$0.isKnown }.map(\.integration))
        let news = unknown.update(at: ways, down: await disconnected(concerned), now: now)
        if !news.isEmpty { try await notify(news, at: now) }
        tracker.withLock { [unknown] in $0 = unknown }
    }

    /// Returns the integrations that are not connected.
    private func disconnected(_ integrations: Set<String>) async -> Set<String> {
        var down: Set<String> = []
        for integration in integrations {
            let health = await commands.backend(integration)?.health()
            if health?.status != .connected { down.insert(integration) }
        }
        return down
    }

    private func notify(_ news: [DoorAvailabilityTracker.Change], at now: Date) async throws {
        let zone = house.current.timeZone
        try await store.write { db in
            for one in news {
                let first = (one.isLoss ? one.lost : one.found).first?.name ?? one.integration
                let incident = "reach:\(one.isLoss ? "lost" : "found"):\(first)"
                let devices = Set(one.doors.map(\.deviceID))
                try Journal.append(
                    .mindChanged, deviceID: devices.count == 1 ? devices.first : nil, subject: "\(incident):\(now.milliseconds)",
                    data: [
                        "notice": .string(NoticeKind.unusual.rawValue), "words": .string(one.text(now: now, in: zone)),
                        "incident": .string(incident), "lost": .array(one.lost.map { .string($0.name) }),
                        "found": .array(one.found.map { .string($0.name) }),
                    ], at: now, in: db)
            }
        }
    }

    /// Returns the outages that an earlier run of the hub notified about and that have not ended.
    private func loadNotifiedCauses() async throws -> Set<DoorAvailabilityTracker.Cause> {
        try await store.read { db in
            let rows = try String.fetchAll(
                db,
                sql: """
                    SELECT opened(data, 'journal.data', seq) FROM journal
                    WHERE kind = 'mind_changed' AND subject GLOB 'reach:*' ORDER BY seq
                    """)
            var unresolved: Set<DoorAvailabilityTracker.Cause> = []
            for row in rows {
                let data = try JSONText.object(row)
                func causes(_ name: String) -> [DoorAvailabilityTracker.Cause] {
                    guard case .array(let names)? = data[name] else { return [] }
                    return names.compactMap { $0.string.flatMap { DoorAvailabilityTracker.Cause(named: $0) } }
                }
                unresolved.formUnion(causes("lost"))
                unresolved.subtract(causes("found"))
            }
            return unresolved
        }
    }
}
