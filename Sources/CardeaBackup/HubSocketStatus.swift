import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// What is answered to `state`: how a house stands, as far as that is told by its own notes.
public struct HubSocketStatus: Codable, Sendable {
    public let recoveryKey: Data?
    /// Where the list of erasures lies; nil where the hub keeps none.
    public let erasures: String?
    /// When the last good backup was made.
    public let lastBackup: Date?
    /// Why the last try to make one came to nothing, where that is the last that there is to say.
    public let backupProblem: String?
    public let clockProblem: String?
    /// The house's id; nil from an older hub.
    public let house: String?
    /// Whether backups are authenticated; nil without a recovery key, and from an older hub.
    public let authenticatesBackups: Bool?

    public init(
        _ backups: Backups.State, clock: ClockTrust.Status, house: String?, authenticatesBackups: Bool?, erasures: String? = nil
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
