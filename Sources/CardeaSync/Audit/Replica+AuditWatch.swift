import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// How the house's audit trail stands beside what was seen of it from here before.
public struct AuditWatchReport: Codable, Hashable, Sendable {
    /// What is wrong, and stays so until somebody has looked into it and accepts the trail as it is now.
    public internal(set) var alarm: AuditWitness.Alarm?
    /// Entries that were signed, as they were seen last and found right.
    public let size: Int64
    /// When the house signed that, by its own clock.
    public let signedAt: Date
    /// When what is kept here was seen first.
    public let since: Date
    /// What is kept here, as a note that tools of transparency logs verify.
    public let note: String
    /// The house's key, as it was seen first: 32 bytes.
    public let key: Data
    /// The first entry that the house itself found not to be as it was written; nil where it found none.
    public let brokenAt: Int64?
    /// In the house's words what is wrong with it.
    public let problem: String?
    /// Since when, by the clock here, the house does not show its trail to this person, so that nothing was looked at and all of this is
    /// what was seen before; nil where it showed it when it was asked last.
    public let withheldSince: Date?

    enum CodingKeys: String, CodingKey {
        case alarm, size, since, note, key, problem
        case signedAt = "signed_at"
        case brokenAt = "broken_at"
        case withheldSince = "withheld_since"
    }

    init(_ kept: AuditWatchTable.Record) {
        alarm = kept.alarm
        size = kept.witness.newest.size
        signedAt = Date(milliseconds: kept.witness.newest.at)
        since = kept.since
        note = kept.witness.newest.note
        key = kept.witness.key
        brokenAt = kept.broken?.at
        problem = kept.broken?.words
        withheldSince = kept.withheldSince
    }
}

extension Replica {
    /// Holds the house's audit trail against what was seen of it here before, and keeps the newest of it.
    ///
    /// A house that was restored from a backup, or whose trail was cut or written anew, cannot show that its trail only grew. That is an
    /// alarm, and stays one until `acceptAudit`.
    /// Both `watchTrail`, the one here with each `sync` and the terminal's with each command, come to this.
    /// - Parameter age: seconds within which the house is not asked again; 0 asks it always.
    /// - Returns: nil where it is not for this person, who neither owns nor administers the house, or where the house keeps none. Where it
    ///   was theirs once, what was seen then, with `withheldSince`: nothing was looked at.
    public func checkAudit(ifOlderThan age: TimeInterval = 0) async throws -> AuditWatchReport? {
        let (trails, now) = (AuditWatchTable(sealing: store.sealing), environment.now())
        let row = try await store.read { try trails.read(in: $0) }
        if let kept = row?.kept, kept.alarm != nil { return AuditWatchReport(kept) }
        // Whose it is not asks again on the next day: rights may have changed.
        let pause = row?.kept == nil && age > 0 ? max(age, Self.withheldInterval) : age
        if let row, abs(now.timeIntervalSince(row.askedAt)) < pause { return row.kept.map { AuditWatchReport($0) } }
        let kept = try await isAuditVisible() ? try await checkAgainst(row?.kept) : row?.kept?.withheld(at: now)
        try await store.write { try trails.write(kept, at: now, in: $0) }
        return kept.map { AuditWatchReport($0) }
    }

    private static let withheldInterval: TimeInterval = 86_400

    /// A refusal would be on record: the house is not asked for what it will not show.
    private func isAuditVisible() async throws -> Bool {
        do throws(ClientError) {
            return try await client.people.me().permissions.contains(.managePeople)
        } catch {
            // Somebody to whom it does not even say who they are.
            guard case .api(let answer) = error, [403, 404].contains(answer.status) else { throw error }
            return false
        }
    }

    /// Seconds within which a look at the house does not look at its trail again.
    static let checkInterval: TimeInterval = 3600
    /// The same after one that came to nothing.
    static let retryInterval: TimeInterval = 300

    /// What `sync` does for the house's trail, in every app: looks at it once an hour, and tells in the report how it stands. That it could
    /// not be looked at is said there, and stops nothing. The terminal's `Sitting.watchTrail` is another: it looks once a minute, and warns
    /// the person at it.
    func checkAuditAfterSync(_ report: inout SyncReport) async throws {
        let now = environment.now()
        let isResting = lastAuditCheckFailure.map { abs(now.timeIntervalSince($0.at)) < Self.retryInterval } ?? false
        if report.stopped == nil, !isResting {
            do {
                _ = try await checkAudit(ifOlderThan: Self.checkInterval)
                lastAuditCheckFailure = nil
            } catch let error as ClientError {
                lastAuditCheckFailure = (error, now)
            }
        }
        report.trailProblem = lastAuditCheckFailure?.error
        do {
            report.trail = try await lastAuditReport()
        } catch let error as ClientError {
            report.trailProblem = error
        }
    }

    /// Takes the trail as it is now for the right one, as after a backup was restored. What was kept before is forgotten once the house has
    /// shown what takes its place, and stays where it cannot be asked.
    ///
    /// - Returns: the trail as it is now; nil where nothing of it is signed, or nothing was kept and it is not for this person. Where the
    ///   house does not show it, what was kept, with `withheldSince`: nothing was accepted.
    @discardableResult
    public func acceptAudit() async throws -> AuditWatchReport? {
        let (trails, now) = (AuditWatchTable(sealing: store.sealing), environment.now())
        let old: AuditWatchTable.Record?
        // What cannot be read is put right by this.
        do { old = try await store.read { try trails.read(in: $0) }?.kept } catch ClientError.storage { old = nil }
        let next: AuditWatchTable.Record?
        do {
            guard try await isAuditVisible() else { return old.map { AuditWatchReport($0.withheld(at: now)) } }
            next = try await trustOnFirstUse(after: old?.broken)
        } catch ClientError.api(let error) where error.code == "audit_not_signed" {
            next = nil
        } catch ClientError.api(let error) where [403, 404].contains(error.status) {
            return old.map { AuditWatchReport($0.withheld(at: now)) }
        }
        try await store.write { [next] db in
            guard let next else { return try trails.delete(in: db) }
            try trails.write(next, at: now, in: db)
        }
        lastAuditCheckFailure = nil
        return next.map { AuditWatchReport($0) }
    }

    /// What was seen last, without asking.
    ///
    /// - Throws: `ClientError.storage` where what was kept cannot be read, as after a newer version of the program has written it. Nothing
    ///   takes its place but by `acceptAudit`.
    public func lastAuditReport() async throws -> AuditWatchReport? {
        let trails = AuditWatchTable(sealing: store.sealing)
        return try await store.read { try trails.read(in: $0) }?.kept.map { AuditWatchReport($0) }
    }

    /// - Returns: nil where there is nothing to be seen yet, or it is not for this person any more.
    private func checkAgainst(_ kept: AuditWatchTable.Record?) async throws -> AuditWatchTable.Record? {
        do {
            guard let kept else { return try await trustOnFirstUse(after: nil) }
            return try await verifyGrowth(kept)
        } catch ClientError.api(let error) where error.code == "audit_not_signed" {
            // Where something was seen signed, a trail of which nothing is signed was cut.
            guard var kept else { return nil }
            kept.withheldSince = nil
            kept.alarm = .truncated
            return kept
        } catch ClientError.api(let error) where [403, 404].contains(error.status) {
            // What was seen stays seen, whatever is said now.
            return kept?.withheld(at: environment.now())
        }
    }

    /// What the house shows now, believed on sight.
    ///
    /// - Parameter broken: what it found wrong before, for while it has not looked.
    private func trustOnFirstUse(after broken: AuditWatchTable.BrokenEntry?) async throws -> AuditWatchTable.Record {
        let answer = try await client.audit.checkpoint()
        let witness: AuditWitness
        do {
            witness = try AuditWitness(answer.witnessInput)
        } catch {
            throw ClientError.invalidResponse("what it shows of its audit trail is not signed by its key")
        }
        return AuditWatchTable.Record(
            witness: witness, since: environment.now(), broken: AuditWatchTable.BrokenEntry.found(answer, after: broken))
    }

    private func verifyGrowth(_ kept: AuditWatchTable.Record) async throws -> AuditWatchTable.Record {
        var kept = kept
        var size = kept.witness.newest.size
        var found = try await checkpoint(from: size)
        if found == nil, let whole = kept.witness.whole {
            // What it ended in is gone, its time being over. Of whole segments the proof stays.
            size = whole.size
            found = try await checkpoint(from: size)
        }
        guard let answer = found else { throw ClientError.invalidResponse("it has dropped what was seen of its audit trail") }
        kept.withheldSince = nil
        kept.broken = AuditWatchTable.BrokenEntry.found(answer, after: kept.broken)
        kept.alarm = Self.alarm(of: &kept.witness, at: answer.witnessInput, from: size)
        if kept.alarm != nil { kept.evidence = answer.note }
        return kept
    }

    /// nil where the house has dropped what came there.
    private func checkpoint(from size: Int64) async throws -> AuditCheckpointAnswer? {
        do {
            return try await client.audit.checkpoint(from: size)
        } catch ClientError.api(let error) where error.code == "audit_dropped" {
            return nil
        }
    }

    private static func alarm(of witness: inout AuditWitness, at shown: AuditWitness.PresentedCheckpoint, from size: Int64) -> AuditWitness
        .Alarm?
    {
        do {
            try witness.update(shown, from: size)
            return nil
        } catch { return error }
    }
}

/// The row in which it is kept.
struct AuditWatchTable: Sendable {
    let sealing: SealingKey

    struct Record: Codable, Sendable {
        var witness: AuditWitness
        /// When it was seen first.
        let since: Date
        var alarm: AuditWitness.Alarm?
        /// What the house showed when it came to the alarm: signed by it, both are proof against it.
        var evidence: String?
        var broken: BrokenEntry?
        /// Since when the house does not show its trail; nil where it showed it when it was asked last.
        var withheldSince: Date?

        /// The same where the house does not show it.
        func withheld(at now: Date) -> Record {
            var kept = self
            kept.withheldSince = withheldSince ?? now
            return kept
        }
    }

    /// What the house itself found wrong when it looked at every entry.
    struct BrokenEntry: Codable, Sendable {
        /// The first entry that is.
        let at: Int64
        let words: String

        init?(_ answer: AuditCheckpointAnswer) {
            guard let at = answer.brokenAt else { return nil }
            (self.at, words) = (at, answer.problem ?? "Entry \(at) of the audit trail is not as it was written.")
        }

        /// What the house found when it looked last. While it has not looked since it started, that is what it found before.
        static func found(_ answer: AuditCheckpointAnswer, after before: BrokenEntry?) -> BrokenEntry? {
            BrokenEntry(answer) ?? (answer.verifiedAt == nil ? before : nil)
        }
    }

    private static let sealingContext = "trail/1/sealed"

    func read(in db: Database) throws -> (kept: Record?, askedAt: Date)? {
        guard let row = try Row.fetchOne(db, sql: "SELECT sealed, asked_at FROM trail") else { return nil }
        let kept = try (row[0] as Data?).map { try unseal($0) }
        return (kept, Date(milliseconds: row[1]))
    }

    private func unseal(_ sealed: Data) throws -> Record {
        do {
            return try JSONDecoder().decode(Record.self, from: sealing.open(sealed, for: Self.sealingContext))
        } catch {
            throw ClientError.storage(
                "What was seen of the house's record cannot be read by this version of the program; a newer one may have written it. "
                    + "Use that one, or take the record as it is now: it is watched from there.")
        }
    }

    func write(_ kept: Record?, at now: Date, in db: Database) throws {
        let sealed = try kept.map { try sealing.seal(JSONEncoder().encode($0), for: Self.sealingContext) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO trail (id, asked_at, sealed) VALUES (1, ?, ?)", arguments: [now.milliseconds, sealed])
    }

    func delete(in db: Database) throws { try db.execute(sql: "DELETE FROM trail") }
}
