import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

extension Replica {
    /// Compares the house's audit log with the stored checkpoint, and stores the newest one.
    ///
    /// A house that was restored from a backup, or whose log was shortened or rewritten, cannot prove that its log only grew. That is an
    /// alarm, which stays until `acceptAudit`. Both `checkAuditAfterSync` and the terminal's `checkAuditLog` use this.
    /// - Parameter age: seconds within which the house is not asked again; 0 always asks it.
    /// - Returns: nil if the person neither owns nor administers the house, or if the house has no signed log. If the person had access
    ///   before, the last report, with `withheldSince`: nothing was checked.
    public func checkAudit(ifOlderThan age: TimeInterval = 0) async throws -> AuditWatchReport? {
        let (table, now) = (AuditWatchTable(sealing: store.sealing), environment.now())
        let row = try await store.read { try table.read(in: $0) }
        if let record = row?.record, record.alarm != nil { return AuditWatchReport(record) }
        // A person without access asks again the next day: rights may have changed.
        let pause = row?.record == nil && age > 0 ? max(age, Self.withheldInterval) : age
        if let row, abs(now.timeIntervalSince(row.askedAt)) < pause { return row.record.map { AuditWatchReport($0) } }
        let record = try await isAuditVisible() ? try await checkAgainst(row?.record) : row?.record?.withheld(at: now)
        try await store.write { try table.write(record, at: now, in: $0) }
        return record.map { AuditWatchReport($0) }
    }

    private static let withheldInterval: TimeInterval = 86_400

    /// A refused request would itself be recorded: the house is not asked for data that it will not show.
    private func isAuditVisible() async throws -> Bool {
        do throws(ClientError) {
            return try await client.people.me().permissions.contains(.managePeople)
        } catch {
            // A person who may not even read their own account.
            guard case .api(let answer) = error, [403, 404].contains(answer.status) else { throw error }
            return false
        }
    }

    /// Seconds within which `sync` does not check the audit log again.
    static let checkInterval: TimeInterval = 3600
    /// The same after a failed check.
    static let retryInterval: TimeInterval = 300

    /// Checks the house's audit log during `sync`, at most once an hour, and reports the result. A failed check is reported and stops
    /// nothing. The terminal's `CommandContext.checkAuditLog` is separate: it checks at most once a minute and warns the person at the
    /// terminal.
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
        report.auditWatchProblem = lastAuditCheckFailure?.error
        do {
            report.auditWatch = try await lastAuditReport()
        } catch let error as ClientError {
            report.auditWatchProblem = error
        }
    }

    /// Accepts the present audit log, as after a backup was restored. The stored checkpoint is replaced once the house has shown a new one,
    /// and stays if the house cannot be asked.
    ///
    /// - Returns: the new report; nil if nothing of the log is signed, or if nothing was stored and the person has no access. If the house
    ///   does not show its log, the stored report, with `withheldSince`: nothing was accepted.
    @discardableResult
    public func acceptAudit() async throws -> AuditWatchReport? {
        let (table, now) = (AuditWatchTable(sealing: store.sealing), environment.now())
        let old: AuditWatchTable.Record?
        // This also replaces unreadable data.
        do { old = try await store.read { try table.read(in: $0) }?.record } catch ClientError.storage { old = nil }
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
            guard let next else { return try table.delete(in: db) }
            try table.write(next, at: now, in: db)
        }
        lastAuditCheckFailure = nil
        return next.map { AuditWatchReport($0) }
    }

    /// The last stored report, without asking the house.
    ///
    /// - Throws: `ClientError.storage` if the stored data cannot be read, as after a newer version of the program has written it. Only
    ///   `acceptAudit` replaces it.
    public func lastAuditReport() async throws -> AuditWatchReport? {
        let table = AuditWatchTable(sealing: store.sealing)
        return try await store.read { try table.read(in: $0) }?.record.map { AuditWatchReport($0) }
    }

    /// - Returns: nil if nothing is signed yet, or if the person no longer has access.
    private func checkAgainst(_ record: AuditWatchTable.Record?) async throws -> AuditWatchTable.Record? {
        do {
            guard let record else { return try await trustOnFirstUse(after: nil) }
            return try await verifyGrowth(record)
        } catch ClientError.api(let error) where error.code == "audit_not_signed" {
            // After a signed log was seen, a log without any signed entry was truncated.
            guard var record else { return nil }
            record.withheldSince = nil
            record.alarm = .truncated
            return record
        } catch ClientError.api(let error) where [403, 404].contains(error.status) {
            // The stored checkpoint is kept, whatever the house answers now.
            return record?.withheld(at: environment.now())
        }
    }

    /// Trusts the checkpoint that the house shows now.
    ///
    /// - Parameter broken: the damaged entry that it reported before, used until it has verified again.
    private func trustOnFirstUse(after broken: AuditWatchTable.BrokenEntry?) async throws -> AuditWatchTable.Record {
        let answer = try await client.audit.checkpoint()
        let witness: AuditWitness
        do {
            witness = try AuditWitness(answer.witnessInput)
        } catch {
            throw ClientError.invalidResponse("its audit log is not signed with its key")
        }
        return AuditWatchTable.Record(
            witness: witness, since: environment.now(), broken: AuditWatchTable.BrokenEntry.found(answer, after: broken))
    }

    private func verifyGrowth(_ record: AuditWatchTable.Record) async throws -> AuditWatchTable.Record {
        var record = record
        var size = record.witness.newest.size
        var found = try await checkpoint(from: size)
        if found == nil, let whole = record.witness.whole {
            // The last entries were dropped after their retention period. Whole segments can still be proved.
            size = whole.size
            found = try await checkpoint(from: size)
        }
        guard let answer = found else { throw ClientError.invalidResponse("its audit log no longer contains the state that was seen") }
        record.withheldSince = nil
        record.broken = AuditWatchTable.BrokenEntry.found(answer, after: record.broken)
        record.alarm = Self.alarm(of: &record.witness, at: answer.witnessInput, from: size)
        if record.alarm != nil { record.evidence = answer.note }
        return record
    }

    /// nil if the house has dropped the entries after `size`.
    private func checkpoint(from size: Int64) async throws -> AuditCheckpointAnswer? {
        do {
            return try await client.audit.checkpoint(from: size)
        } catch ClientError.api(let error) where error.code == "audit_dropped" {
            return nil
        }
    }

    private static func alarm(of witness: inout AuditWitness, at presented: AuditWitness.PresentedCheckpoint, from size: Int64)
        -> AuditWitness
        .Alarm?
    {
        do {
            try witness.update(presented, from: size)
            return nil
        } catch { return error }
    }
}
