import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle

/// The requests of people that take long: exporting their data and erasing it. They run one after the other; a job that a crash interrupted
/// starts again.
public struct Jobs: Service {
    let store: Store
    let exports: PersonalDataExporter
    let erasure: Erasure
    let environment: HubEnvironment
    let logger: Logger
    private let wakeups = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(store: Store, exports: PersonalDataExporter, erasing: Erasure, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.exports = exports
        self.erasure = erasing
        self.environment = environment
        self.logger = logger
    }

    /// Exports of people that one person may ask for in a day, and as many of each guest (security.md, 5.4).
    public static let exportsPerDay = 2

    public enum JobError: Error {
        case notFound
        /// Seconds until the next request is allowed.
        case tooOften(TimeInterval)
        /// This house keeps no files, as a demo does not.
        case noFiles
        /// Its archive was deleted, or is not there yet.
        case noArchive
        /// It is at its end already, so that there is nothing to stop.
        case hasEnded
        /// An erasure cannot be stopped: half of one would be none.
        case cannotBeStopped
    }

    // MARK: Requesting

    /// Starts an export of everything kept about a person, for themselves or for an owner.
    ///
    /// - Returns: the job; the running one if there is one.
    public func export(_ personID: String, by principal: Principal, origin: RequestOrigin) async throws -> Job {
        try await enqueue(.export, "person.export", of: .person(personID), by: principal, origin: origin) { requester, now, db in
            try requireExportAllowed(nil, for: requester, at: now, db)
        }
    }

    /// Starts an export of everything kept about a guest, for their host or an owner to give to them.
    ///
    /// - Returns: the job; the running one if there is one.
    public func export(guest id: String, by principal: Principal, origin: RequestOrigin) async throws -> Job {
        // The audit action is the same: the pass that it names identifies the guest.
        try await enqueue(.export, "person.export", of: .guest(id), by: principal, origin: origin) { requester, now, db in
            try requireExportAllowed(id, for: requester, at: now, db)
        }
    }

    /// Throws if a house keeps no files, or `requester` has had enough packed today: of people all together, or of this guest.
    private func requireExportAllowed(_ guestID: String?, for requester: String, at now: Date, _ db: Database) throws {
        guard exports.isAvailable else { throw JobError.noFiles }
        let since = now.addingTimeInterval(-86_400)
        let times = try Int64.fetchAll(
            db,
            sql: """
                SELECT asked_at FROM jobs WHERE kind = 'export' AND asked_by = :asker AND asked_at > :since AND state <> 'failed'
                    AND iif(:guest IS NULL, person_id NOT GLOB 'guest_*', person_id = :guest) ORDER BY asked_at
                """, arguments: ["asker": requester, "since": since.milliseconds, "guest": guestID])
        guard times.count < Self.exportsPerDay else {
            throw JobError.tooOften(Date(milliseconds: times[0]).timeIntervalSince(since).rounded(.up))
        }
    }

    /// Starts the erasure of a person, by themselves or by an owner. The last owner cannot be erased.
    public func erase(_ personID: String, by principal: Principal, origin: RequestOrigin) async throws -> Job {
        try await enqueue(.erasure, "person.erase", of: .person(personID), by: principal, origin: origin) { _, _, db in
            let owners = try String.fetchAll(
                db, sql: "SELECT id FROM people WHERE role = 'owner' AND disabled = 0 AND removed_at IS NULL AND username IS NOT NULL")
            guard owners != [personID] else { throw People.PersonError.lastOwner }
        }
    }

    /// Starts the erasure of a guest, by their host or by an owner: the pass ends, and the guest's identity cannot be read here any more.
    public func erase(guest id: String, by principal: Principal, origin: RequestOrigin) async throws -> Job {
        try await enqueue(.erasure, "guest.erase", of: .guest(id), by: principal, origin: origin) { _, _, _ in }
    }

    /// The person or guest whom the request concerns.
    private enum DataSubject: Sendable {
        case person(String)
        case guest(String)

        init(_ job: Job) { self = job.isOfGuest ? .guest(job.personID) : .person(job.personID) }

        var id: String {
            switch self {
            case .person(let id), .guest(let id): id
            }
        }

        var subject: Store.AuditSubject {
            switch self {
            case .person(let id): .person(id)
            case .guest(let id): .guest(id)
            }
        }

        var grantID: String {
            switch self {
            case .person(let id): "role:\(id)"
            case .guest(let id): id
            }
        }

        /// Throws the reason why `requester` may not decide on it.
        func requireAuthority(of requester: String, by principal: Principal, in db: Database) throws {
            switch self {
            case .person(let id):
                if requester != id { try People.requireManaging(.owner, by: principal, in: db) }
                // A person who was removed from the house may be erased, too.
                guard try Bool.fetchOne(db, sql: "SELECT 1 FROM people WHERE id = ?", arguments: [id]) == true else {
                    throw JobError.notFound
                }
            case .guest(let id):
                try People.require(.inviteGuests, of: principal, in: db)
                guard let host = try String.fetchOne(db, sql: "SELECT created_by FROM guests WHERE id = ?", arguments: [id]) else {
                    throw Guests.GuestError.notFound
                }
                if requester != host { try People.requireManaging(.owner, by: principal, in: db) }
            }
        }
    }

    private func enqueue(
        _ kind: Job.Kind, _ action: String, of whom: DataSubject, by principal: Principal, origin: RequestOrigin,
        allowing: @escaping @Sendable (_ requester: String, _ now: Date, Database) throws -> Void
    ) async throws -> Job {
        let (now, id) = (environment.now(), "job_" + environment.newID())
        let job = try await store.auditedWrite(action, on: whom.subject, by: principal, origin: origin, at: now) { context in
            guard case .person(let requester, _) = principal else { throw People.PersonError.forbidden(.roleLacksRight) }
            try whom.requireAuthority(of: requester, by: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            if let open = try JobRecords.open(kind, of: whom.id, context.db) { return open }
            try allowing(requester, now, context.db)
            try JobRecords.insert(id, kind, of: whom.id, askedBy: requester, at: now, in: context.db)
            try AuditLog.append(.init(who: .init(principal), action: action, grantID: whom.grantID, result: .done), in: context)
            guard let job = try JobRecords.one(id, context.db) else { throw JobError.notFound }
            return job
        }
        wakeups.continuation.yield()
        return job
    }

    /// Erases every person who was removed from the house before `moment`.
    func eraseRemoved(before moment: Date) async throws {
        let now = environment.now()
        let gone = try await store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM people WHERE removed_at < ?
                        AND id NOT IN (SELECT person_id FROM jobs WHERE kind = 'erasure' AND state IN ('waiting', 'running'))
                    """, arguments: [moment.milliseconds])
        }
        guard !gone.isEmpty else { return }
        let ids = gone.map { ($0, "job_" + environment.newID()) }
        try await store.write { db in
            // An erasure may have been requested meanwhile.
            for (personID, id) in ids where try JobRecords.open(.erasure, of: personID, db) == nil {
                try JobRecords.insert(id, .erasure, of: personID, askedBy: nil, at: now, in: db)
            }
        }
        wakeups.continuation.yield()
    }

    // MARK: Reading

    /// One's own, and for an owner everyone's; the newest first.
    public func all(seenBy principal: Principal) async throws -> [Job] {
        let now = environment.now()
        return try await store.read { db in
            guard case .person(let requester, _) = principal, let person = try PeopleRecords.one(requester, db) else {
                throw People.PersonError.forbidden(.roleLacksRight)
            }
            return try JobRecords.all(askedBy: person.role == .owner ? nil : person.id, db).map {
                try Self.withReplicaStatus($0, at: now, db)
            }
        }
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Job {
        let now = environment.now()
        return try await store.read { db in try Self.withReplicaStatus(Self.require(id, to: principal, db), at: now, db) }
    }

    private static func require(_ id: String, to principal: Principal, _ db: Database) throws -> Job {
        guard case .person(let requester, _) = principal, let person = try PeopleRecords.one(requester, db) else {
            throw People.PersonError.forbidden(.roleLacksRight)
        }
        guard let job = try JobRecords.one(id, db), job.askedBy == requester || person.role == .owner else { throw JobError.notFound }
        return job
    }

    /// Adds the present state of the replicas to a finished erasure: they confirm for weeks after.
    private static func withReplicaStatus(_ job: Job, at now: Date, _ db: Database) throws -> Job {
        guard job.kind == .erasure, job.state == .done else { return job }
        var job = job
        job.replicas = try ReplicaRecords.status(of: job.personID, at: now, db)
        return job
    }

    /// Returns the archive of an export, for the person who asked only. Each download is recorded in the audit log before its first byte is
    /// sent.
    public func archive(_ id: String, by principal: Principal, origin: RequestOrigin) async throws -> ExportFile.Reader {
        let now = environment.now()
        let job = try await one(id, seenBy: principal)
        guard let requester = job.askedBy, requester == principal.personID else { throw People.PersonError.forbidden(.noGrant) }
        let whom = DataSubject(job)
        try await store.read { db in
            // A person who asked for another person as an owner must still be one, and for a guest their host.
            try whom.requireAuthority(of: requester, by: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
        }
        guard job.hasArchive(at: now), let reading = try await exports.reader(of: job) else { throw JobError.noArchive }
        try await store.write(from: origin, at: now) { context in
            try AuditLog.append(
                .init(who: .init(principal), action: "person.export.fetch", grantID: whom.grantID, result: .done), in: context)
        }
        return reading
    }

    // MARK: Cancelling

    /// Stops an export that waits or runs, for the person who asked or an owner: nothing of it is left. An erasure cannot be stopped.
    public func stop(_ id: String, by principal: Principal, origin: RequestOrigin) async throws -> Job {
        let now = environment.now()
        let job = try await store.auditedWrite("export.drop", by: principal, origin: origin, at: now) { context in
            let job = try Self.require(id, to: principal, context.db)
            guard job.isOpen else { throw JobError.hasEnded }
            guard job.kind == .export else { throw JobError.cannotBeStopped }
            try JobRecords.stop(id, tells: job.askedBy != principal.personID, at: now, in: context.db)
            try AuditLog.append(
                .init(who: .init(principal), action: "export.drop", grantID: DataSubject(job).grantID, result: .done), in: context)
            return try Self.require(id, to: principal, context.db)
        }
        do { try exports.remove([id]) } catch {
            // Its key is destroyed, and the file is deleted within the hour.
            logger.warning("partial export could not be deleted", metadata: ["error": "\(type(of: error))"])
        }
        return job
    }

    // MARK: Running

    /// Removes everyone with a pending erasure before requests are served: a restored backup still has them. The rest of each erasure
    /// follows in its turn.
    func beginErasures() async throws {
        for job in try await store.read({ try JobRecords.allOpen(.erasure, $0) }) {
            do { try await erasure.begin(job) } catch let error as CancellationError { throw error } catch {
                // The house starts anyway, and this is repeated with the rest.
                logger.error("erasure could not be started", metadata: ["error": "\(type(of: error))"])
            }
        }
    }

    public func run() async throws {
        wakeups.continuation.yield()
        for await _ in wakeups.stream.cancelOnGracefulShutdown() {
            do { try await runAll() } catch {
                // A full disk must not end the hub. The job is still stored, and starts again.
                logger.error("job could not be stored", metadata: ["error": "\(type(of: error))"])
                let again = environment.now().addingTimeInterval(Self.retryInterval)
                do { try await cancelWhenGracefulShutdown { try await environment.sleep(again) } } catch { return }
                wakeups.continuation.yield()
            }
        }
    }

    /// Seconds after which it is tried again if nothing could be written down.
    private static let retryInterval: TimeInterval = 10

    /// Runs the waiting jobs. A failed one does not block the next.
    public func runAll() async throws {
        var halves: Set<String> = []
        while !Task.isCancelled, let job = try await store.read({ [halves] in try JobRecords.next(but: halves, $0) }) {
            do {
                switch job.kind {
                case .export: try await exports.make(job)
                case .erasure: try await erasure.erase(job)
                }
            } catch is CancellationError {
                // It starts again after the restart.
                return
            } catch is JobStoppedError {
                continue
            } catch {
                logger.error("job failed", metadata: ["job": "\(job.kind.rawValue)", "error": "\(type(of: error))"])
                // An erasure must not end halfway: it is retried within the hour, and after every start, until it is done.
                if job.kind == .erasure, !(error is JobFailedError) {
                    halves.insert(job.id)
                    continue
                }
                let (now, why) = (environment.now(), (error as? JobFailedError)?.message ?? "The job failed. See the hub's log.")
                try await store.write { try JobRecords.fail(job.id, because: why, at: now, in: $0) }
            }
        }
    }

    /// Deletes exports that have been available long enough.
    func sweep(at now: Date) async throws {
        try await exports.sweep(at: now)
        wakeups.continuation.yield()
    }
}

/// A job was stopped while it ran; its end is already stored.
struct JobStoppedError: Error {}

/// The reason why a job failed, for the person who requested it.
struct JobFailedError: Error {
    let message: String
}
