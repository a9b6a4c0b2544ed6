import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// Backups that the hub makes by itself.
struct BackupOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where a backup is put every day, sealed to the house's recovery key. Fourteen are kept, none longer than 30 days.",
            valueName: "folder"))
    var backupFolder: String?

    @Option(help: ArgumentHelp("Hours from one backup to the next. Default: once a day, in the house's quiet hours.", valueName: "hours"))
    var backupHours: Int?

    func validate() throws {
        guard backupHours == nil || backupFolder != nil else {
            throw ValidationError("--backup-hours says how often; --backup-folder says where to.")
        }
        if let backupHours, !(1...168).contains(backupHours) { throw ValidationError("--backup-hours is 1 to 168.") }
    }

    /// What answers over the house's socket, and what makes backups by itself.
    func services(for hub: Hub, folder: URL, key: KeyEncryptionKey, logger: Logger) -> [any Service] {
        Backup.tidy(folder)
        let backup = Backup(store: hub.store, folder: folder, key: key, app: CardeaHubCommand.version)
        let socket = HubSocket(
            folder: folder, backup: backup, backups: hub.backups, clock: hub.clock, now: hub.surroundings.now, logger: logger)
        guard let backupFolder else { return [socket] }
        return [
            socket,
            BackupSchedule(
                into: URL(filePath: backupFolder), plan: BackupPlan(hours: backupHours), backup: backup, backups: hub.backups,
                house: hub.house, surroundings: hub.surroundings, logger: logger),
        ]
    }
}
