import CardeaHub
import CardeaModel
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// Makes backups by itself into a folder, and takes the old ones away.
public struct BackupSchedule: Service {
    private let folder: URL
    private let place: BackupPlace
    private let plan: BackupPlan
    private let backup: Backup
    private let backups: Backups
    private let erasures: ErasureKeeper?
    private let house: House
    private let surroundings: Surroundings
    private let logger: Logger

    public init(
        into folder: URL, plan: BackupPlan, backup: Backup, backups: Backups, erasures: ErasureKeeper? = nil, house: House,
        surroundings: Surroundings, logger: Logger
    ) {
        self.init(
            into: folder, at: BackupPlace(folder, of: backup.folder), plan: plan, backup: backup, backups: backups, erasures: erasures,
            house: house, surroundings: surroundings, logger: logger)
    }

    init(
        into folder: URL, at place: BackupPlace, plan: BackupPlan, backup: Backup, backups: Backups, erasures: ErasureKeeper? = nil,
        house: House, surroundings: Surroundings, logger: Logger
    ) {
        self.folder = folder
        self.place = place
        self.plan = plan
        self.backup = backup
        self.backups = backups
        self.erasures = erasures
        self.house = house
        self.surroundings = surroundings
        self.logger = logger
        backups.tell(Backups.Routine(folder: folder.lastPathComponent, plan: plan))
    }

    /// How often it looks whether it is time: quiet hours may be changed meanwhile. One that came to nothing is tried again after it.
    static let pause = BackupPlan.rest

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            // Shares are often mounted a while after the hub has started.
            var isFirst = true
            var wasAway = false
            while !Task.isCancelled {
                let now = surroundings.now()
                do {
                    if try await isDue(at: now, asFirst: isFirst, after: wasAway) {
                        try await make(at: now)
                        wasAway = false
                    }
                } catch is CancellationError {
                    return
                } catch {
                    wasAway = error is BackupPlace.NotMounted || error is BackupPlace.Unreachable
                    await failed(error)
                }
                isFirst = false
                do {
                    let due = wasAway ? now : try await nextMoment()
                    try await surroundings.sleep(min(max(due, now.addingTimeInterval(60)), now.addingTimeInterval(Self.pause)))
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("when the next backup is due cannot be read", metadata: ["error": "\(type(of: error))"])
                    do { try await surroundings.sleep(now.addingTimeInterval(Self.pause)) } catch is CancellationError { return }
                }
            }
        }
    }

    private func nextMoment() async throws -> Date {
        let facts = house.now
        return plan.next(
            after: try await backups.state().good?.at, at: surroundings.now(), quiet: facts.preferences.quietHours, zone: facts.timeZone)
    }

    /// - Parameters:
    ///   - first: whether this is the first look since the hub started.
    ///   - away: whether the folder's disk was away the last time: then it may have failed before it was due, and would seem to fail until it is.
    private func isDue(at now: Date, asFirst first: Bool, after away: Bool) async throws -> Bool {
        let state = try await backups.state()
        // What has just failed would fail again; an hour later it may not.
        if state.isFailing, let failure = state.failure, (0..<Self.pause).contains(now.timeIntervalSince(failure.at)) { return false }
        if away { return true }
        // That there can be none is told within the hour, and not only when the next one is due.
        if !first, try await !Disk.run({ place.isThere }) { return true }
        return try await nextMoment() <= now
    }

    private func make(at now: Date) async throws {
        try await Disk.run { try place.require() }
        let lock = try await backups.lock()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try await Disk.run { try tidy() }
        let file = try BackupFile(folder.appending(path: Self.name(now)))
        do {
            let receipt = try await backup.make(for: lock, at: now) { try file.append($0) }
            try await file.keep(receipt)
            try await backups.note(good: receipt.madeAt, bytes: receipt.bytes, damage: receipt.damage)
            erasures?.ask()
        } catch {
            file.discard()
            throw error
        }
        // By a clock that is doubted nothing is too old.
        let sure = try await backups.sure(of: now)
        try await Disk.run { try rotate(at: now, sure: sure) }
    }

    private func failed(_ error: any Error) async {
        logger.warning("no backup was made", metadata: ["error": "\(type(of: error))"])
        do {
            try await backups.note(failure: String(Self.words(Store.words(for: error), without: [folder, backup.folder]).prefix(300)))
        } catch {
            logger.error("nor could it be written down", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// Where a folder lies is nobody's business who asks over the network: it is named by its last name alone.
    static func words(_ said: String, without folders: [URL]) -> String {
        let places = folders.flatMap { folder in
            let (plain, linked) = (folder.standardizedFileURL, folder.resolvingSymlinksInPath())
            return [plain.absoluteString, linked.absoluteString, folder.path, plain.path, linked.path].map { place in
                (place: place.hasSuffix("/") ? String(place.dropLast()) : place, name: folder.lastPathComponent)
            }
        }
        // The longer one first: a folder may lie in the other.
        return places.filter { !$0.place.isEmpty }.sorted { $0.place.count > $1.place.count }.reduce(said) { words, folder in
            words.replacingOccurrences(of: folder.place, with: folder.name)
        }
    }

    private static let beginning = "cardea-"
    private static let ending = ".backup"

    /// `cardea-20261123T031500Z.backup`
    static func name(_ moment: Date) -> String {
        beginning + moment.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted)) + ending
    }

    /// When a file of ours says that it was made; nil for anybody else's.
    static func moment(of name: String) -> Date? {
        guard name.hasPrefix(beginning), name.hasSuffix(ending) else { return nil }
        let text = name.dropFirst(beginning.count).dropLast(ending.count)
        return try? Date(String(text), strategy: .iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
    }

    /// Sweeps away what a crash left of an earlier one.
    private func tidy() throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where BackupFile.name(ofDraft: file).flatMap(Self.moment(of:)) != nil {
            // One that cannot be taken away keeps nobody from making another.
            unlink(folder.appending(path: file).path)
        }
    }

    private func rotate(at now: Date, sure: Date) throws {
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { name in
            Self.moment(of: name).map { (name: name, at: $0) }
        }
        for name in BackupPlan.outdated(made, at: now, sure: sure) {
            guard unlink(folder.appending(path: name).path) == 0 || errno == ENOENT else {
                throw BackupFile.Problem(description: "The old backup \(name) cannot be taken away: \(String(cString: strerror(errno)))")
            }
        }
    }
}
