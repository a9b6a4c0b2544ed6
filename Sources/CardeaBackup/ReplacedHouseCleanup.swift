import CardeaHub
import CardeaModel
import Foundation
import Logging
import ServiceLifecycle

/// Houses that a restore has moved aside, beside the one that is served: each has its own key, and gets no updates any more. They are
/// deleted when they are as old as a backup may become.
public struct ReplacedHouseCleanup: Service {
    private let folder: URL
    private let backups: BackupRegistry
    private let environment: HubEnvironment
    private let logger: Logger

    /// Days for which one is kept.
    public static let retentionDays = BackupPlan.maxDays
    /// Seconds between two checks.
    static let interval: TimeInterval = 3600

    /// - Parameter folder: of the house that is served.
    public init(of folder: URL, backups: BackupRegistry, environment: HubEnvironment, logger: Logger) {
        let folder = folder.standardizedFileURL.resolvingSymlinksInPath()
        self.folder = folder
        self.backups = backups
        self.environment = environment
        self.logger = logger
        backups.update {
            Self.all(of: folder).map { BackupRegistry.ReplacedHouse(name: $0.url.lastPathComponent, until: Self.expiry(of: $0.at)) }
        }
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let now = environment.now()
                do {
                    // With a doubtful clock nothing is too old.
                    let sure = try await backups.trustedTime(of: now)
                    try await BlockingIO.run { [folder] in try Self.delete(folder, at: min(sure, now)) }
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("previous house of a restore could not be deleted", metadata: ["error": "\(error)"])
                }
                do { try await environment.sleep(now.addingTimeInterval(Self.interval)) } catch is CancellationError { return }
            }
        }
    }

    // MARK: Names

    /// `house.before-20261123T031500Z`
    static func replacedHouseURL(of folder: URL, at moment: Date) -> URL {
        let stamp = moment.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        return folder.deletingLastPathComponent().appending(path: prefix(of: folder) + stamp, directoryHint: .isDirectory)
    }

    public static func expiry(of moment: Date) -> Date { moment.addingTimeInterval(Double(retentionDays) * 86_400) }

    private static func prefix(of folder: URL) -> String { "\(folder.lastPathComponent).before-" }

    /// Returns the replaced houses and when each was moved aside. A folder with such a name that is not a house belongs to others.
    static func all(of folder: URL) -> [(url: URL, at: Date)] {
        let (above, prefix) = (folder.deletingLastPathComponent(), prefix(of: folder))
        return ((try? FileManager.default.contentsOfDirectory(atPath: above.path)) ?? []).sorted().compactMap { name in
            guard name.hasPrefix(prefix),
                let at = try? Date(String(name.dropFirst(prefix.count)), strategy: .iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
            else { return nil }
            let url = above.appending(path: name, directoryHint: .isDirectory)
            return FileManager.default.fileExists(atPath: url.appending(path: HouseFiles.database).path) ? (url, at) : nil
        }
    }

    /// The database is deleted last: after an interruption the rest is still recognised as a house and deleted the next time.
    static func delete(_ folder: URL, at sure: Date) throws {
        for (url, at) in all(of: folder) where sure > expiry(of: at) {
            let files = FileManager.default
            for name in try files.contentsOfDirectory(atPath: url.path) where name != HouseFiles.database {
                try files.removeItem(at: url.appending(path: name))
            }
            try files.removeItem(at: url)
        }
    }
}
