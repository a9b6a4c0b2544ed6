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

    static func backups(_ status: BackupRegistry.Status) -> BackupsAnswer {
        let (state, routine) = (status.state, status.configuration)
        return BackupsAnswer(
            folder: routine?.folder, everyHours: routine?.plan.hours, keep: BackupPlan.keptCount, keepDays: BackupPlan.maxDays,
            hasRecoveryKey: state.recoveryKey != nil, goodAt: state.lastSuccess?.at, goodBytes: state.lastSuccess?.bytes,
            failedAt: state.isFailing ? state.lastFailure?.at : nil, failure: state.isFailing ? state.lastFailure?.message : nil,
            nextAt: status.next, restoredAt: state.restoredAt,
            key: status.protection.map { .init(place: $0.location.rawValue, protection: $0.level, words: $0.text) })
    }

    static func job(_ job: Job, copies: BackupRegistry.RetainedCopies, at now: Date) -> JobAnswer {
        let hasArchive = job.hasArchive(at: now)
        return JobAnswer(
            jobID: job.id, kind: job.kind.rawValue, personID: job.personID, state: job.state.rawValue, step: job.step,
            progress: job.state == .done ? 1 : job.total.flatMap { $0 > 0 ? Double(job.done) / Double($0) : nil }, askedAt: job.askedAt,
            finishedAt: job.finishedAt, link: hasArchive ? "/api/v1/jobs/\(job.id)/archive" : nil,
            expiresAt: hasArchive ? job.expiresAt : nil, bytes: hasArchive ? job.bytes : nil, problem: job.problem,
            receipt: job.kind == .erasure && job.state == .done ? receipt(job, copies, at: now) : nil)
    }

    private static func receipt(_ job: Job, _ copies: BackupRegistry.RetainedCopies, at now: Date) -> JobAnswer.Receipt {
        var rows: [String: Int] = [:]
        if case .object(let members)? = job.receipt?["rows"] { rows = members.compactMapValues { $0.number.flatMap { Int(exactly: $0) } } }
        return JobAnswer.Receipt(
            rows: rows,
            kept: retainedLines + backupLines(copies, since: job.finishedAt ?? job.askedAt, at: now)
                + (job.replicas.map(replicaLines) ?? []),
            replicas: job.replicas.map { .init(told: $0.notified, confirmed: $0.confirmed, owing: $0.pending, own: $0.ownReplicas) })
    }

    /// The older copies of the house that still contain the data, and until when, in words.
    private static func backupLines(_ copies: BackupRegistry.RetainedCopies, since moment: Date, at now: Date) -> [String] {
        var lines: [String] = []
        if copies.isAutomatic {
            let again =
                copies.isListed(until: moment)
                ? "When one is restored, the house erases the data again. The list of erasures is stored beside the backups."
                : "The list of erasures beside the backups could not be written yet: a backup restored on another machine brings the data back."
            lines.append(
                "Earlier automatic backups contain the data, encrypted with the recovery key, until \(day(BackupRegistry.RetainedCopies.expiry(ofMadeBefore: moment))). The latest one is kept until there is a newer one. \(again)"
            )
            lines.append(
                "Backups made by hand contain the data for as long as they are kept. Restored beside the list of erasures, they are erased again too."
            )
        } else {
            lines.append(
                "The house makes no automatic backups. An earlier backup made by hand contains the data, encrypted, for as long as it is kept. Restored where no list of erasures is left, it brings the data back."
            )
        }
        // A house replaced after the erasure no longer knows them, and is named anyway: it may contain restored data.
        for former in copies.replacedHouses {
            let end =
                former.until > now
                ? "and may contain the data until \(day(former.until))"
                : "and may contain the data: it was due for deletion on \(day(former.until)), but could not be deleted"
            lines.append("The house from before a restore is on the hub's machine as \(former.name), \(end).")
        }
        return lines
    }

    private static func day(_ moment: Date) -> String { moment.formatted(.iso8601.year().month().day()) }

    /// The state of the copies of the house, in words.
    private static func replicaLines(_ status: Replicas.Status) -> [String] {
        var lines: [String] = []
        if status.notified > 0 {
            let gone = status.notified - status.confirmed - status.pending
            lines.append(
                "Copies of the house on the household's devices: \(status.notified) were notified, \(status.confirmed) have confirmed the deletion"
                    + (status.pending > 0 ? ", \(status.pending) have not confirmed yet" : "")
                    + (gone > 0 ? ", \(gone) signed out before confirming" : "") + ".")
        }
        if status.ownReplicas > 0 {
            lines.append(
                "The person's own devices with a copy: \(status.ownReplicas). They are signed out and cannot confirm. Each deletes its encrypted copy when it next connects to the house."
            )
        }
        return lines
    }

    /// The data that an erasure leaves, with the reasons.
    private static let retainedLines = [
        "The audit log keeps its entries until their retention ends. The person's name in them is encrypted with a key that has been destroyed.",
        "Names of rooms, devices, scenes and of other people's passes belong to the household and stay.",
        "Texts that other people wrote stay, and so do texts with a name that another person or pass has too.",
        "Exports of other people, and answers stored for repeated requests, may contain the name. They are encrypted and deleted within about a day.",
        "Events and actions stay, without the person who reported or caused them and without that person's pictures and notes. Pictures of the house's cameras stay until the retention of events ends.",
    ]
}
