import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The house's record of its backups: the recovery key they are sealed to, the last good backup, the result of the last attempt, and the
/// schedule.
public struct BackupRegistry: Sendable {
    let store: Store
    let sealing: SealingKey
    let environment: HubEnvironment
    /// nil for a house that no hub serves.
    private let reserve: DiskReserve?
    let runtime = Runtime()

    final class Runtime: Sendable {
        let configuration = Mutex<Configuration?>(nil)
        let protection = Mutex<KeyProtection?>(nil)
        let replacedHouses = Mutex<(@Sendable () -> [ReplacedHouse])?>(nil)
        let listedAt = Mutex<Date?>(nil)
    }

    public init(store: Store, sealing: SealingKey, reserve: DiskReserve? = nil, environment: HubEnvironment) {
        self.store = store
        self.sealing = sealing
        self.reserve = reserve
        self.environment = environment
    }

    public struct State: Hashable, Sendable {
        /// The public half of the recovery key; nil if none has been made.
        public internal(set) var recoveryKey: Data?
        /// The last backup that was complete when it was checked, and its size in bytes.
        public internal(set) var lastSuccess: Success?
        /// The last failed backup.
        public internal(set) var lastFailure: Failure?
        /// When the house was last restored from a backup.
        public internal(set) var restoredAt: Date?

        public struct Success: Hashable, Sendable {
            public let at: Date
            public let bytes: Int64
        }

        public struct Failure: Hashable, Sendable {
            public let at: Date
            public let message: String
        }

        /// True if the last attempt failed, or its backup is of a damaged house.
        public var isFailing: Bool { lastFailure.map { failure in lastSuccess.map { $0.at <= failure.at } ?? true } ?? false }
    }

    /// The schedule and folder of automatic backups, if the operator has set them up.
    public struct Configuration: Hashable, Sendable {
        /// The name of the folder, without the path: callers over the network must not learn where it is.
        public let folder: String
        public let plan: BackupPlan

        public init(folder: String, plan: BackupPlan) {
            self.folder = folder
            self.plan = plan
        }
    }

    /// The state of the house's backups, and when the next one is due.
    public struct Status: Hashable, Sendable {
        public let state: State
        /// nil if the house makes no backups by itself.
        public let configuration: Configuration?
        /// When the next backup is due; nil if the house makes none by itself.
        public let next: Date?
        /// The protection of the key that opens the house; nil for a house that is stored nowhere.
        public let protection: KeyProtection?
    }

    public enum BackupError: Error {
        /// There is a recovery key. Making another one must be confirmed: the old one keeps opening the old backups, and no new ones.
        case keyExists
    }

    /// The time by which the age of backups is measured: the clock's, or the last trusted one while the clock is in doubt.
    public func trustedTime(of now: Date) async throws -> Date {
        try await store.read { try ClockRecords.mark($0)?.trustedTime(of: now) } ?? now
    }

    /// Throws while the disk has less free space than is reserved for commands: no backup is made then.
    ///
    /// - Throws: `DiskReserve.LowDiskSpaceError`
    public func requireRoom() throws { try reserve?.require() }

    public func state() async throws -> State { try await Self.state(in: store) }

    /// The same for readers without a `BackupRegistry`.
    public static func state(in store: Store) async throws -> State { try await store.read { try BackupRecords.read($0) } }

    /// Sets the schedule and folder of automatic backups.
    public func update(_ routine: Configuration) { runtime.configuration.withLock { $0 = routine } }

    /// Sets how the house's key is protected.
    public func update(_ protection: KeyProtection) { runtime.protection.withLock { $0 = protection } }

    /// The status for people who may change the house's settings.
    ///
    /// - Throws: `People.PersonError`.
    public func status(of house: House.Facts, seenBy principal: Principal) async throws -> Status {
        let (now, routine, protection) = (environment.now(), runtime.configuration.withLock { $0 }, runtime.protection.withLock { $0 })
        return try await store.read { db in
            _ = try People.require(.modifySettings, of: principal, in: db)
            let state = try BackupRecords.read(db)
            let due = routine.map { routine in
                // Pause after a failure.
                let failed = state.isFailing ? state.lastFailure?.at : nil
                let rested = failed.flatMap { $0 <= now ? $0.addingTimeInterval(BackupPlan.retryInterval) : nil }
                let planned = routine.plan.next(
                    after: state.lastSuccess?.at, at: now, quiet: house.preferences.quietHours, zone: house.timeZone)
                return max(planned, rested ?? now, now)
            }
            return Status(state: state, configuration: routine, next: due, protection: protection)
        }
    }

    /// Seals backups to this key from now on, and the house's own key too: if that is lost, the printed recovery key opens the house.
    ///
    /// - Parameter authentication: the key that authenticates backups from now on; without it they are not authenticated.
    public func save(recoveryKey: Data, authentication: BackupAuthenticationKey? = nil, replacing: Bool) async throws {
        let now = environment.now()
        try await store.write { [sealing] db in
            let isFirst = try BackupRecords.read(db).recoveryKey == nil
            guard isFirst || replacing else { throw BackupError.keyExists }
            try db.execute(sql: "UPDATE backups SET recovery_key = ?", arguments: [recoveryKey])
            try BackupRecords.save(authentication, for: recoveryKey, sealedBy: sealing, at: now, in: db)
            try HouseKeyRecords.wrapForRecovery(sealing, at: now, in: db)
            try AuditLog.append(.init(who: .house, action: "recovery_key.make", result: .done), in: .house(db, at: now))
        }
    }

    /// The key that authenticates backups sealed to this recovery key; nil if the house does not have it.
    public func authentication(for recoveryKey: Data) async throws -> BackupAuthenticationKey? {
        try await store.read { [sealing] in try BackupRecords.authentication(for: recoveryKey, openedBy: sealing, in: $0) }
    }

    /// Returns whether backups are authenticated; nil without a recovery key.
    public func isAuthenticating() async throws -> Bool? {
        guard let key = try await state().recoveryKey else { return nil }
        return try await authentication(for: key) != nil
    }

    /// The house's id, which is printed with the recovery key.
    public func houseID() async throws -> String? {
        try await store.read { try String.fetchOne($0, sql: "SELECT house_id FROM house") }
    }

    /// Records a complete backup.
    ///
    /// - Parameters:
    ///   - madeAt: when its content was copied.
    ///   - damage: the damage to the house in it. The people who look after the house are notified once a day.
    public func record(good madeAt: Date, bytes: Int64, damage: String? = nil) async throws {
        let now = environment.now()
        try await store.write { db in
            let words = damage.map {
                "A backup was made of a damaged house: \($0) Restoring it asks you to accept the damage."
            }
            try db.execute(
                sql: "UPDATE backups SET good_at = ?, good_bytes = ?, failed_at = ?, failure = ?",
                arguments: [madeAt.milliseconds, bytes, damage.map { _ in now.milliseconds }, words])
            if let words { try BackupRecords.notify(words, onceOn: now, in: db) }
            try AuditLog.append(
                .init(who: .house, action: "backup.make", grantID: BackupRecords.recordName(madeAt), result: .done),
                in: .house(db, at: now))
        }
    }

    /// A backup failed. The people who look after the house are notified once a day.
    public func record(failure words: String) async throws {
        let now = environment.now()
        try await store.write { db in
            let day = BackupRecords.recordName(now).prefix { $0 != "T" }
            let last = try BackupRecords.read(db).lastFailure.map { BackupRecords.recordName($0.at).prefix { $0 != "T" } }
            try db.execute(sql: "UPDATE backups SET failed_at = ?, failure = ?", arguments: [now.milliseconds, words])
            try AuditLog.append(.init(who: .house, action: "backup.make", result: .refused, reason: .failed), in: .house(db, at: now))
            guard last != day else { return }
            try BackupRecords.notify("No backup was made: \(words)", subject: "failure:\(day)", at: now, in: db)
        }
    }
}
