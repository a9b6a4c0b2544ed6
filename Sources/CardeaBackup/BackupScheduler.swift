import CardeaHub
import CardeaModel
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// Makes scheduled backups into a folder, and deletes old ones.
public struct BackupScheduler: Service {
    private let folder: URL
    private let location: BackupLocation
    private let plan: BackupPlan
    private let backup: BackupRunner
    private let backups: BackupRegistry
    private let erasures: ErasureListWriter?
    private let house: House
    private let environment: HubEnvironment
    private let logger: Logger

    public init(
        into folder: URL, plan: BackupPlan, backup: BackupRunner, backups: BackupRegistry, erasures: ErasureListWriter? = nil, house: House,
        environment: HubEnvironment, logger: Logger
    ) {
        self.init(
            into: folder, at: BackupLocation(folder, of: backup.folder), plan: plan, backup: backup, backups: backups, erasures: erasures,
            house: house, environment: environment, logger: logger)
    }

    init(
        into folder: URL, at place: BackupLocation, plan: BackupPlan, backup: BackupRunner, backups: BackupRegistry,
        erasures: ErasureListWriter? = nil,
        house: House, environment: HubEnvironment, logger: Logger
    ) {
        self.folder = folder
        self.location = place
        self.plan = plan
        self.backup = backup
        self.backups = backups
        self.erasures = erasures
        self.house = house
        self.environment = environment
        self.logger = logger
        backups.update(BackupRegistry.Configuration(folder: folder.lastPathComponent, plan: plan))
    }

    /// The interval of checks whether a backup is due, since quiet hours may be changed. A failed backup is retried after it.
    static let interval = BackupPlan.retryInterval

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            // Shares are often mounted a while after the hub has started.
            var isFirst = true
            var wasAway = false
            while !Task.isCancelled {
                let now = environment.now()
                do {
                    if try await isDue(at: now, asFirst: isFirst, after: wasAway) {
                        try await make(at: now)
                        wasAway = false
                    }
                } catch is CancellationError {
                    return
                } catch {
                    wasAway = error is BackupLocation.NotMountedError || error is BackupLocation.UnreachableError
                    await recordFailure(error)
                }
                isFirst = false
                do {
                    let due = wasAway ? now : try await nextDate()
                    try await environment.sleep(min(max(due, now.addingTimeInterval(60)), now.addingTimeInterval(Self.interval)))
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("next backup time could not be read", metadata: ["error": "\(type(of: error))"])
                    do { try await environment.sleep(now.addingTimeInterval(Self.interval)) } catch is CancellationError { return }
                }
            }
        }
    }

    private func nextDate() async throws -> Date {
        let facts = house.current
        return plan.next(
            after: try await backups.state().lastSuccess?.at, at: environment.now(), quiet: facts.preferences.quietHours,
            zone: facts.timeZone)
    }

    /// - Parameters:
    ///   - first: whether this is the first look since the hub started.
    ///   - away: whether the folder's disk was away the last time: then it may have failed before it was due, and would seem to fail until
    ///     it is.
    private func isDue(at now: Date, asFirst first: Bool, after away: Bool) async throws -> Bool {
        let state = try await backups.state()
        // A repeat right after a failure would fail again; an hour later it may not.
        if state.isFailing, let failure = state.lastFailure, (0..<Self.interval).contains(now.timeIntervalSince(failure.at)) {
            return false
        }
        if away { return true }
        // A missing disk is reported within the hour, not only when the next backup is due.
        if !first, try await !BlockingIO.run({ location.isMounted }) { return true }
        return try await nextDate() <= now
    }

    private func make(at now: Date) async throws {
        try await BlockingIO.run { try location.require() }
        let lock = try await backups.defaultRecipient()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try await BlockingIO.run { try removeLeftovers() }
        let file = try BackupFile(folder.appending(path: Self.name(now)))
        do {
            let receipt = try await backup.run(for: lock, at: now) { try file.append($0) }
            try await file.commit(receipt)
            try await backups.record(good: receipt.madeAt, bytes: receipt.bytes, damage: receipt.damage)
            erasures?.requestWrite()
        } catch {
            file.discard()
            throw error
        }
        // With a doubtful clock nothing is too old.
        let sure = try await backups.trustedTime(of: now)
        try await BlockingIO.run { try removeOldBackups(at: now, sure: sure) }
    }

    private func recordFailure(_ error: any Error) async {
        logger.warning("backup failed", metadata: ["error": "\(type(of: error))"])
        do {
            try await backups.record(
                failure: String(Self.redacted(Store.message(for: error), without: [folder, backup.folder]).prefix(300)))
        } catch {
            logger.error("backup failure could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// Replaces the paths of folders by their last component: callers over the network must not learn them.
    static func redacted(_ message: String, without folders: [URL]) -> String {
        let places = folders.flatMap { folder in
            let (plain, linked) = (folder.standardizedFileURL, folder.resolvingSymlinksInPath())
            return [plain.absoluteString, linked.absoluteString, folder.path, plain.path, linked.path].map { place in
                (place: place.hasSuffix("/") ? String(place.dropLast()) : place, name: folder.lastPathComponent)
            }
        }
        // The longer path first: one folder may be inside the other.
        return places.filter { !$0.place.isEmpty }.sorted { $0.place.count > $1.place.count }.reduce(message) { words, folder in
            words.replacingOccurrences(of: folder.place, with: folder.name)
        }
    }

    private static let filePrefix = "cardea-"
    private static let fileSuffix = ".backup"

    /// `cardea-20261123T031500Z.backup`
    static func name(_ moment: Date) -> String {
        filePrefix + moment.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted)) + fileSuffix
    }

    /// Returns the time of a backup by its file name; nil for another file.
    static func date(of name: String) -> Date? {
        guard name.hasPrefix(filePrefix), name.hasSuffix(fileSuffix) else { return nil }
        let text = name.dropFirst(filePrefix.count).dropLast(fileSuffix.count)
        return try? Date(String(text), strategy: .iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
    }

    /// Deletes the leftovers of a backup that a crash interrupted.
    private func removeLeftovers() throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where BackupFile.name(ofDraft: file).flatMap(Self.date(of:)) != nil {
            // A file that cannot be deleted does not prevent another backup.
            unlink(folder.appending(path: file).path)
        }
    }

    private func removeOldBackups(at now: Date, sure: Date) throws {
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { name in
            Self.date(of: name).map { (name: name, at: $0) }
        }
        for name in BackupPlan.outdated(made, at: now, sure: sure) {
            guard unlink(folder.appending(path: name).path) == 0 || errno == ENOENT else {
                throw BackupFile.FileError(description: "The old backup \(name) cannot be deleted: \(String(cString: strerror(errno)))")
            }
        }
    }
}
