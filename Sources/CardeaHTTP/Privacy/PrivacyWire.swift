import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaStore
import Foundation

/// Retention, backups and jobs on the wire.
enum PrivacyWire {
    static func retention(_ rules: [Retention.Rule]) -> RetentionAnswer {
        RetentionAnswer(
            retention: rules.map {
                .init(kind: $0.kind.rawValue, days: $0.days, mostDays: $0.mostDays, sweptAt: $0.sweptAt, dropped: $0.dropped)
            })
    }

    static func backups(_ standing: Backups.Standing) -> BackupsAnswer {
        let (state, routine) = (standing.state, standing.routine)
        return BackupsAnswer(
            folder: routine?.folder, everyHours: routine?.plan.hours, keep: BackupPlan.kept, keepDays: BackupPlan.mostDays,
            hasRecoveryKey: state.recoveryKey != nil, goodAt: state.good?.at, goodBytes: state.good?.bytes,
            failedAt: state.isFailing ? state.failure?.at : nil, failure: state.isFailing ? state.failure?.words : nil,
            nextAt: standing.next, restoredAt: state.restoredAt)
    }

    static func job(_ job: Job, at now: Date) -> JobAnswer {
        let hasArchive = job.hasArchive(at: now)
        return JobAnswer(
            jobID: job.id, kind: job.kind.rawValue, personID: job.personID, state: job.state.rawValue, step: job.step,
            progress: job.state == .done ? 1 : job.total.flatMap { $0 > 0 ? Double(job.done) / Double($0) : nil }, askedAt: job.askedAt,
            finishedAt: job.finishedAt, link: hasArchive ? "/api/v1/jobs/\(job.id)/archive" : nil,
            expiresAt: hasArchive ? job.expiresAt : nil, bytes: hasArchive ? job.bytes : nil, problem: job.problem,
            receipt: job.kind == .erasure && job.state == .done ? receipt(job) : nil)
    }

    private static func receipt(_ job: Job) -> JobAnswer.Receipt {
        var rows: [String: Int] = [:]
        if case .object(let members)? = job.receipt?["rows"] { rows = members.compactMapValues { $0.number.flatMap { Int(exactly: $0) } } }
        return JobAnswer.Receipt(
            rows: rows, kept: stays + (job.replicas.map(elsewhere) ?? []),
            replicas: job.replicas.map { .init(told: $0.told, confirmed: $0.confirmed, owing: $0.owing, own: $0.own) })
    }

    /// How it stands with the copies of the house, in words.
    private static func elsewhere(_ standing: Replicas.Standing) -> [String] {
        var lines: [String] = []
        if standing.told > 0 {
            let gone = standing.told - standing.confirmed - standing.owing
            lines.append(
                "Copies of the house on the household's devices: \(standing.told) were told, \(standing.confirmed) have confirmed that nothing is left"
                    + (standing.owing > 0 ? ", \(standing.owing) are still to confirm" : "")
                    + (gone > 0 ? ", \(gone) signed out before they did" : "") + ".")
        }
        if standing.own > 0 {
            lines.append(
                "Their own devices with a copy: \(standing.own). They are signed out and cannot confirm. Each empties its copy when it next asks the house; until then it keeps it, sealed."
            )
        }
        return lines
    }

    /// What an erasure leaves, and why.
    private static let stays = [
        "The audit trail keeps its entries for as long as before. Who it was in them is sealed by a key that has been destroyed.",
        "Names that people gave to rooms, devices, scenes and passes of others belong to the household.",
        "What others told the house in their own words is theirs.",
    ]
}
