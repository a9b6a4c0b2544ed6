import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// What the house knows of its backups: to which key they are sealed, which was the last good one, and what came of the last try.
public struct Backups: Sendable {
    let store: Store
    let sealing: SealingKey
    let environment: HubEnvironment
    /// nil for a house that nobody serves.
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
        /// The public half of the recovery key; nil while none was made.
        public internal(set) var recoveryKey: Data?
        /// The last one that was whole when it was looked at, and how many bytes it has.
        public internal(set) var lastSuccess: Success?
        /// The last one that came to nothing.
        public internal(set) var lastFailure: Failure?
        /// When the house was put back from a backup the last time.
        public internal(set) var restoredAt: Date?

        public struct Success: Hashable, Sendable {
            public let at: Date
            public let bytes: Int64
        }

        public struct Failure: Hashable, Sendable {
            public let at: Date
            public let message: String
        }

        /// Whether the last try came to nothing, or is of a house that is not whole.
        public var isFailing: Bool { lastFailure.map { failure in lastSuccess.map { $0.at <= failure.at } ?? true } ?? false }
    }

    /// How the house backs itself up, where whoever runs it had it do so.
    public struct Configuration: Hashable, Sendable {
        /// What the folder is called; where it lies is nobody's business who asks over the network.
        public let folder: String
        public let plan: BackupPlan

        public init(folder: String, plan: BackupPlan) {
            self.folder = folder
            self.plan = plan
        }
    }

    /// How the house's backups stand, and what is to come.
    public struct Status: Hashable, Sendable {
        public let state: State
        /// Nil where it makes none by itself.
        public let configuration: Configuration?
        /// When it makes the next one; nil where it makes none by itself.
        public let next: Date?
        /// How well the key is kept that opens the house; nil for a house that is kept nowhere.
        public let protection: KeyProtection?
    }

    public enum BackupError: Error {
        /// There is a recovery key. Whoever makes another one must say so: the old one goes on opening the old backups, and no new ones.
        case keyExists
    }

    /// The moment by which a backup is too old: what the clock says, or the last that is sure while it is doubted.
    public func trustedTime(of now: Date) async throws -> Date {
        try await store.read { try ClockRecords.mark($0)?.trustedTime(of: now) } ?? now
    }

    /// No backup is made while the disk has less room than is kept for the house's own commands.
    ///
    /// - Throws: `DiskReserve.LowDiskSpaceError`
    public func requireRoom() throws { try reserve?.require() }

    public func state() async throws -> State { try await Self.state(in: store) }

    /// The same for whoever only looks.
    public static func state(in store: Store) async throws -> State { try await store.read { try BackupRecords.read($0) } }

    /// From now on the house backs itself up in this way.
    public func update(_ routine: Configuration) { runtime.configuration.withLock { $0 = routine } }

    /// The house's key is kept like this.
    public func update(_ protection: KeyProtection) { runtime.protection.withLock { $0 = protection } }

    /// What those who may change the house's settings see of it.
    ///
    /// - Throws: `People.Problem`.
    public func status(of house: House.Facts, seenBy principal: Principal) async throws -> Status {
        let (now, routine, protection) = (environment.now(), runtime.configuration.withLock { $0 }, runtime.protection.withLock { $0 })
        return try await store.read { db in
            _ = try People.require(.modifySettings, of: principal, in: db)
            let state = try BackupRecords.read(db)
            let due = routine.map { routine in
                // What has just come to nothing rests for a while.
                let failed = state.isFailing ? state.lastFailure?.at : nil
                let rested = failed.flatMap { $0 <= now ? $0.addingTimeInterval(BackupPlan.retryInterval) : nil }
                let planned = routine.plan.next(
                    after: state.lastSuccess?.at, at: now, quiet: house.preferences.quietHours, zone: house.timeZone)
                return max(planned, rested ?? now, now)
            }
            return Status(state: state, configuration: routine, next: due, protection: protection)
        }
    }

    /// From now on backups are sealed to this key, and the house's own key is: where that is lost, the paper opens the house.
    ///
    /// - Parameter authentication: what authenticates backups from now on; without it they are not authenticated.
    public func save(recoveryKey: Data, authentication: BackupAuthenticationKey? = nil, replacing: Bool) async throws {
        let now = environment.now()
        try await store.write { [sealing] db in
            let isFirst = try BackupRecords.read(db).recoveryKey == nil
            guard isFirst || replacing else { throw BackupError.keyExists }
            try db.execute(sql: "UPDATE backups SET recovery_key = ?", arguments: [recoveryKey])
            try BackupRecords.save(authentication, for: recoveryKey, sealedBy: sealing, at: now, in: db)
            try HouseKeyRecords.wrapForRecovery(sealing, at: now, in: db)
            try AuditLog.append(.init(who: .house, action: "recovery_key.make", result: .done), origin: .house, at: now, in: db)
        }
    }

    /// What authenticates backups that are sealed to this recovery key; nil where the house does not have it.
    public func authentication(for recoveryKey: Data) async throws -> BackupAuthenticationKey? {
        try await store.read { [sealing] in try BackupRecords.authentication(for: recoveryKey, openedBy: sealing, in: $0) }
    }

    /// Whether backups are authenticated; nil without a recovery key.
    public func isAuthenticating() async throws -> Bool? {
        guard let key = try await state().recoveryKey else { return nil }
        return try await authentication(for: key) != nil
    }

    /// The house's id, which is printed with the recovery key.
    public func houseID() async throws -> String? {
        try await store.read { try String.fetchOne($0, sql: "SELECT house_id FROM house") }
    }

    /// One was made, and is whole.
    ///
    /// - Parameters:
    ///   - madeAt: when what is in it was copied.
    ///   - damage: what is wrong with the house in it. Those who look after the house are told, once a day.
    public func record(good madeAt: Date, bytes: Int64, damage: String? = nil) async throws {
        let now = environment.now()
        try await store.write { db in
            let words = damage.map {
                "A backup was made of a house that is damaged: \($0) One whose record is damaged is put back only despite it."
            }
            try db.execute(
                sql: "UPDATE backups SET good_at = ?, good_bytes = ?, failed_at = ?, failure = ?",
                arguments: [madeAt.milliseconds, bytes, damage.map { _ in now.milliseconds }, words])
            if let words { try BackupRecords.notify(words, onceOn: now, in: db) }
            try AuditLog.append(
                .init(who: .house, action: "backup.make", grantID: BackupRecords.recordName(madeAt), result: .done), origin: .house,
                at: now,
                in: db)
        }
    }

    /// A copy of the house that nobody could put back, whatever is said of its record: no hub would serve it.
    public struct UnrestorableError: Error, CustomStringConvertible {
        let reason: String

        public var description: String { "As the house is now it could not be put back, so earlier backups stay. \(reason)" }
    }

    /// What is wrong with a copy of the house that lies in a file of its own: with its record first, then with what is sealed. Nil where it is
    /// whole.
    ///
    /// - Parameter key: what opens the house and lies in the backup.
    /// - Throws: `UnrestorableError` where a backup of it would be worth nothing.
    public func damage(inCopy url: URL, openedBy key: KeyEncryptionKey) async throws -> String? {
        try await Store.inspect(atFile: url) { [sealing] db in
            if let reason = try HouseKeys.servingProblem(db, by: key, sealing: sealing) { throw UnrestorableError(reason: reason) }
            do {
                if let problem = try AuditVerification.problem(db, sealing: sealing) { return problem }
                try SealedColumns.verify(with: sealing, in: db)
                return nil
            } catch let problem as HouseKeyError { return problem.description }
        }
    }

    /// One came to nothing. Those who look after the house are told, once a day.
    public func record(failure words: String) async throws {
        let now = environment.now()
        try await store.write { db in
            let day = BackupRecords.recordName(now).prefix { $0 != "T" }
            let last = try BackupRecords.read(db).lastFailure.map { BackupRecords.recordName($0.at).prefix { $0 != "T" } }
            try db.execute(sql: "UPDATE backups SET failed_at = ?, failure = ?", arguments: [now.milliseconds, words])
            try AuditLog.append(
                .init(who: .house, action: "backup.make", result: .refused, reason: .failed), origin: .house, at: now, in: db)
            guard last != day else { return }
            try BackupRecords.notify("No backup was made: \(words)", subject: "failure:\(day)", at: now, in: db)
        }
    }
}
