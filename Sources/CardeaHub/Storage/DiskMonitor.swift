import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Checks the free space of the database's file system every few seconds, and notifies those who maintain the house when the reserve is
/// reached and when there is space again, once each.
public final class DiskMonitor: Service, Sendable {
    private let store: Store
    private let reserve: DiskReserve
    private let environment: HubEnvironment
    private let logger: Logger
    /// True if low space was the last notification; nil until the journal has been read.
    private let lastNotified = Mutex<Bool?>(nil)

    /// Seconds between two checks.
    static let interval: TimeInterval = 5

    init(store: Store, reserve: DiskReserve, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.reserve = reserve
        self.environment = environment
        self.logger = logger
    }

    public func run() async throws {
        // A house in memory has no file system.
        guard reserve.space != nil else { return try await gracefulShutdown() }
        try await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                do {
                    try await check()
                } catch is CancellationError {
                    return
                } catch {
                    // A later check notifies: a full disk cannot store this notification either.
                    logger.info("free disk space could not be read", metadata: ["error": "\(type(of: error))"])
                }
                do { try await environment.sleep(environment.now().addingTimeInterval(Self.interval)) } catch is CancellationError {
                    return
                }
            }
        }
    }

    /// Checks the free space once. `run` calls it.
    public func check() async throws {
        let isLow = reserve.update(environment.diskSpace(store.folder))
        let known = lastNotified.withLock { $0 }
        let wasLow = if let known { known } else { try await readLastNotified() }
        if isLow != wasLow { try await notify(isLow) }
        lastNotified.withLock { $0 = isLow }
    }

    /// Returns true if low space is the last state that an earlier run of the hub notified about.
    private func readLastNotified() async throws -> Bool {
        try await store.read { db in
            try String.fetchOne(
                db, sql: "SELECT subject FROM journal WHERE kind = 'mind_changed' AND subject GLOB 'disk:*' ORDER BY seq DESC LIMIT 1")
        }?.hasPrefix("disk:low:") ?? false
    }

    private func notify(_ isLow: Bool) async throws {
        let (now, space) = (environment.now(), reserve.space)
        let free = (space?.free ?? 0).formatted(.byteCount(style: .file))
        let words =
            isLow
            ? """
            The hub's disk is nearly full: \(free) are free. Pictures, detections of cameras, records of unknown callers and backups stop. \
            Doors, doorbells and alarms still work. Free space on the disk.
            """ : "The hub's disk has space again: \(free) are free. Pictures, detections and backups continue."
        _ = try await store.write { db in
            try Journal.append(
                .mindChanged, subject: "disk:\(isLow ? "low" : "enough"):\(now.milliseconds)",
                data: [
                    "notice": .string(NoticeKind.unusual.rawValue), "words": .string(words),
                    "needs": .string(Right.modifySettings.rawValue),
                ], at: now, in: db)
        }
        logger.warning(
            isLow ? "disk is nearly full" : "disk has free space again", metadata: ["free": "\(free)"])
    }
}
