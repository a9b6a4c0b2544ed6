import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The reply to `state`: the state of a house by its own notes.
public struct HubSocketStatus: Codable, Sendable {
    public let recoveryKey: Data?
    /// The path of the list of erasures; nil if the hub keeps none.
    public let erasures: String?
    /// When the last good backup was made.
    public let lastBackup: Date?
    /// The reason why the last try to make a backup failed, if no later one succeeded.
    public let backupProblem: String?
    public let clockProblem: String?
    /// The house's id; nil from an older hub.
    public let house: String?
    /// True if backups are authenticated; nil without a recovery key, and from an older hub.
    public let authenticatesBackups: Bool?

    public init(
        _ backups: BackupRegistry.State, clock: ClockTrust.Status, house: String?, authenticatesBackups: Bool?, erasures: String? = nil
    ) {
        recoveryKey = backups.recoveryKey
        lastBackup = backups.lastSuccess?.at
        backupProblem = backups.isFailing ? backups.lastFailure?.message : nil
        clockProblem = clock.message
        self.erasures = erasures
        self.house = house
        self.authenticatesBackups = authenticatesBackups
    }
}
