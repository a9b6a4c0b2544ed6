import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

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
