import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import GRDB

/// Sends pending operations, in order within each lane. An entry is marked as sent before it is, and removed when its result is on the
/// disk: a process killed between the two sends it again with the same key, and the house does it once.
struct OutboxFlush: Sendable {
    let store: ReplicaStore
    let client: CardeaClient
    let now: @Sendable () -> Date

    private var outbox: Outbox { Outbox(sealing: store.sealing) }
    private var conflicts: ConflictTable { ConflictTable(sealing: store.sealing) }

    struct Report: Sendable {
        var done = 0
        var ended = 0
        var conflicts = 0
        /// The reason why it stopped early.
        var stopped: ClientError?
    }

    func run() async throws -> Report {
        var report = Report()
        // Operations in these lanes wait.
        var held = try await store.read { try conflicts.blockedLanes(in: $0) }
        while report.stopped == nil, let entry = try await next(&held, &report) {
            try await apply(await DeliveryResult.deliver(entry, by: client), of: entry, &held, &report)
        }
        return report
    }

    /// The next operation that may be sent, marked as sent; expired ones end here.
    private func next(_ held: inout Set<Data>, _ report: inout Report) async throws -> OutboxEntry? {
        let (outbox, skipped, now) = (outbox, held, now())
        let found = try await store.write { db -> (entry: OutboxEntry?, ended: Int) in
            var ended = 0
            for head in try outbox.headers(in: db) where !skipped.contains(head.lane) {
                // Made in the future: the clock was set back, and the age is not known.
                if let end = head.notAfter, end <= now || head.madeAt.timeIntervalSince(now) > 60 {
                    try outbox.end(head.id, head.status == .sent ? OutboxOutcome.answerLost : .expired, in: db)
                    ended += 1
                    continue
                }
                // The entry in its earlier state: it is restored if nothing arrived.
                let entry = try outbox.find(head.id, in: db)
                try outbox.markSent(head.id, in: db)
                return (entry, ended)
            }
            return (nil, ended)
        }
        report.ended += found.ended
        return found.entry
    }

    private func apply(_ delivery: DeliveryResult, of entry: OutboxEntry, _ held: inout Set<Data>, _ report: inout Report) async throws {
        let (outbox, conflicts, now) = (outbox, conflicts, now())
        let lane = outbox.lane(of: entry.operation)
        switch delivery {
        case .done(let document):
            try await store.write { db in
                try outbox.remove(entry.id, in: db)
                // A repeated answer shows the state of that time: it must be read again.
                try outbox.documents.markStale(entry.operation.subject.kind, in: db)
                guard let document else { return }
                try outbox.documents.store(document, in: db)
                guard case .edit(let edit) = entry.operation else { return }
                if let version = document.version { try outbox.rebase(lane, from: edit.seen, to: version, in: db) }
            }
            report.done += 1
        case .answered(let response):
            let ending = OutboxOutcome(.answered, response, at: now)
            try await store.write { try outbox.end(entry.id, ending, in: $0) }
            report.done += 1
        case .stepUpRequired:
            if entry.status == .waiting { try await store.write { try outbox.markUnsent(entry.id, in: $0) } }
            held.insert(lane)
        case .failed(let ending):
            try await store.write { try outbox.end(entry.id, ending, in: $0) }
            report.ended += 1
        case .conflict(let theirs):
            guard case .edit(let mine) = entry.operation else {
                try await store.write { try outbox.end(entry.id, OutboxOutcome(.refused, "It was changed meanwhile."), in: $0) }
                report.ended += 1
                return
            }
            // The same edit was made elsewhere, or by this client and its answer was lost longer ago than the house remembers.
            let isDone = try mine.isDone(in: WireFormat.encode(theirs))
            try await store.write { db in
                try outbox.remove(entry.id, in: db)
                if !isDone { try conflicts.add(entry.id, lane: lane, mine, theirs: theirs, at: now, in: db) }
            }
            if isDone { report.done += 1 } else { report.conflicts += 1 }
            if !isDone { held.insert(lane) }
        case .retryLater(let words, let didNothing):
            if didNothing, entry.status == .waiting { try await store.write { try outbox.markUnsent(entry.id, in: $0) } }
            report.ended += try await recordFailedAttempt(entry, OutboxOutcome(entry.status == .sent ? .unknown : .refused, words))
            held.insert(lane)
        case .lost:
            report.ended += try await recordFailedAttempt(entry, .answerLost)
            report.stopped = .interrupted(host: client.hub.host)
        case .gatewayFailure(let error):
            // Marked as sent, but not counted as a try: the house has answered nothing.
            report.stopped = error
        case .unreachable(let error):
            // If an earlier try may have arrived, the entry stays as it is.
            if entry.status == .waiting { try await store.write { try outbox.markUnsent(entry.id, in: $0) } }
            report.stopped = error
        }
    }

    /// Ends an entry after its last try; a person must then look at it. Returns the number of ended entries.
    private func recordFailedAttempt(_ entry: OutboxEntry, _ ending: OutboxOutcome) async throws -> Int {
        let outbox = outbox
        return try await store.write { db in
            guard try outbox.recordAttempt(entry.id, in: db) >= OutboxEntry.attemptLimit else { return 0 }
            try outbox.end(entry.id, ending, in: db)
            return 1
        }
    }
}

extension OutboxOutcome {
    static let expired = OutboxOutcome(.expired, "The house could not be reached in time. Nothing was sent.")
    static let answerLost = OutboxOutcome(.unknown, "The answer was lost, so it may have been done. Check the state.")
}
