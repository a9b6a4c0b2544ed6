import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// Options for automatic backups.
struct BackupOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder for daily backups, encrypted to the house's recovery key. The latest 14 are kept, for at most 30 days.",
            valueName: "folder"))
    var backupFolder: String?

    @Option(help: ArgumentHelp("Hours between backups, 1 to 168. Default: once a day, in the house's quiet hours.", valueName: "hours"))
    var backupHours: Int?

    func validate() throws {
        guard backupHours == nil || backupFolder != nil else {
            throw ValidationError("--backup-hours needs --backup-folder.")
        }
        if let backupHours, !(1...168).contains(backupHours) { throw ValidationError("--backup-hours needs 1 to 168 hours.") }
    }

    /// The services for the house's socket, for deleting houses replaced by a restore, and for automatic backups.
    func services(for hub: Hub, folder: URL, key: KeyEncryptionKey, logger: Logger) throws -> [any Service] {
        BackupRunner.removeLeftovers(folder)
        let backup = BackupRunner(store: hub.store, folder: folder, key: key, backups: hub.backups, app: CardeaHubCommand.version)
        let drawer = backupFolder.map { URL(filePath: $0, directoryHint: .isDirectory).absoluteURL }
        let erasures = try drawer.map {
            try ErasureListWriter(in: $0, of: hub.store, backups: hub.backups, environment: hub.environment, logger: logger)
        }
        let socket = HubSocketServer(
            folder: folder, backup: backup, backups: hub.backups, clock: hub.clock, erasures: erasures?.listURL, now: hub.environment.now,
            logger: logger)
        let former = ReplacedHouseCleanup(of: folder, backups: hub.backups, environment: hub.environment, logger: logger)
        guard let drawer, let erasures else {
            BackupLocation.removeRecord(in: folder)
            return [socket, former]
        }
        let schedule = BackupScheduler(
            into: drawer, plan: BackupPlan(hours: backupHours), backup: backup, backups: hub.backups, erasures: erasures, house: hub.house,
            environment: hub.environment, logger: logger)
        return [socket, former, erasures, schedule]
    }
}
