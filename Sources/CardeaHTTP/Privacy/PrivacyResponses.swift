import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaStore
import Foundation

/// Retention, backups and jobs on the wire.
enum PrivacyResponses {
    static func retention(_ rules: [Retention.Rule]) -> RetentionAnswer {
        RetentionAnswer(
            retention: rules.map {
                .init(kind: $0.kind.rawValue, days: $0.days, mostDays: $0.mostDays, sweptAt: $0.sweptAt, dropped: $0.dropped)
            })
    }

    static func backups(_ standing: Backups.Status) -> BackupsAnswer {
        let (state, routine) = (standing.state, standing.configuration)
        return BackupsAnswer(
            folder: routine?.folder, everyHours: routine?.plan.hours, keep: BackupPlan.keptCount, keepDays: BackupPlan.maxDays,
            hasRecoveryKey: state.recoveryKey != nil, goodAt: state.lastSuccess?.at, goodBytes: state.lastSuccess?.bytes,
            failedAt: state.isFailing ? state.lastFailure?.at : nil, failure: state.isFailing ? state.lastFailure?.message : nil,
            nextAt: standing.next, restoredAt: state.restoredAt,
            key: standing.protection.map { .init(place: $0.location.rawValue, protection: $0.level, words: $0.text) })
    }

    static func job(_ job: Job, copies: Backups.RetainedCopies, at now: Date) -> JobAnswer {
        let hasArchive = job.hasArchive(at: now)
        return JobAnswer(
            jobID: job.id, kind: job.kind.rawValue, personID: job.personID, state: job.state.rawValue, step: job.step,
            progress: job.state == .done ? 1 : job.total.flatMap { $0 > 0 ? Double(job.done) / Double($0) : nil }, askedAt: job.askedAt,
            finishedAt: job.finishedAt, link: hasArchive ? "/api/v1/jobs/\(job.id)/archive" : nil,
            expiresAt: hasArchive ? job.expiresAt : nil, bytes: hasArchive ? job.bytes : nil, problem: job.problem,
            receipt: job.kind == .erasure && job.state == .done ? receipt(job, copies, at: now) : nil)
    }

    private static func receipt(_ job: Job, _ copies: Backups.RetainedCopies, at now: Date) -> JobAnswer.Receipt {
        var rows: [String: Int] = [:]
        if case .object(let members)? = job.receipt?["rows"] { rows = members.compactMapValues { $0.number.flatMap { Int(exactly: $0) } } }
        return JobAnswer.Receipt(
            rows: rows,
            kept: retainedLines + backupLines(copies, since: job.finishedAt ?? job.askedAt, at: now)
                + (job.replicas.map(replicaLines) ?? []),
            replicas: job.replicas.map { .init(told: $0.notified, confirmed: $0.confirmed, owing: $0.pending, own: $0.ownReplicas) })
    }

    /// Which older copies of the house still hold them, and until when, in words.
    private static func backupLines(_ copies: Backups.RetainedCopies, since moment: Date, at now: Date) -> [String] {
        var lines: [String] = []
        if copies.isAutomatic {
            let again =
                copies.isListed(until: moment)
                ? "Put back, the house erases them again, by the list that lies beside the backups."
                : "The list of erasures beside them could not be written yet: put back on another machine, they bring them back."
            lines.append(
                "Backups that the house made before hold them, sealed to the recovery key, until \(day(Backups.RetainedCopies.expiry(ofMadeBefore: moment))), and the latest of them for as long as there is no newer one. \(again)"
            )
            lines.append(
                "Backups that somebody made by hand hold them for as long as they are kept. Put back beside that list, the same holds.")
        } else {
            lines.append(
                "The house makes no backups by itself. One that somebody made before holds them, sealed, for as long as it is kept: put back where no house is left that remembers this, it brings them back."
            )
        }
        // A house replaced after the erasure no longer knows them, and is named anyway: it may contain restored data.
        for former in copies.replacedHouses {
            let end =
                former.until > now
                ? "and may hold them until \(day(former.until))"
                : "and may hold them: it was to go on \(day(former.until)), and could not be taken away"
            lines.append("The house as it was before it was put back from a backup lies on the hub's machine as \(former.name), \(end).")
        }
        return lines
    }

    private static func day(_ moment: Date) -> String { moment.formatted(.iso8601.year().month().day()) }

    /// The state of the copies of the house, in words.
    private static func replicaLines(_ standing: Replicas.Status) -> [String] {
        var lines: [String] = []
        if standing.notified > 0 {
            let gone = standing.notified - standing.confirmed - standing.pending
            lines.append(
                "Copies of the house on the household's devices: \(standing.notified) were told, \(standing.confirmed) have confirmed that nothing is left"
                    + (standing.pending > 0 ? ", \(standing.pending) are still to confirm" : "")
                    + (gone > 0 ? ", \(gone) signed out before they did" : "") + ".")
        }
        if standing.ownReplicas > 0 {
            lines.append(
                "Their own devices with a copy: \(standing.ownReplicas). They are signed out and cannot confirm. Each empties its copy when it next asks the house; until then it keeps it, sealed."
            )
        }
        return lines
    }

    /// The data that an erasure leaves, with the reasons.
    private static let retainedLines = [
        "The audit trail keeps its entries for as long as before. Who it was in them is sealed by a key that has been destroyed.",
        "Names that people gave to rooms, devices, scenes and passes of others belong to the household.",
        "What others told the house in their own words is theirs, and so is what is told by a name that somebody else, or another pass, bears too.",
        "What somebody else had packed of their own before, and answers that are kept so that nothing is done twice, may name them: sealed, and gone within about a day.",
        "That something was seen at the door or done in the house stays, without who told of it or did it, and without their pictures and notes. What the house's cameras took stays as long as events do, whoever is on it.",
    ]
}
