import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// How the house's audit trail stands beside what was seen of it from here before.
public struct TrailReport: Codable, Hashable, Sendable {
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

    enum CodingKeys: String, CodingKey {
        case alarm, size, since, note, key
        case signedAt = "signed_at"
    }

    init(_ kept: Trails.Kept) {
        alarm = kept.alarm
        size = kept.witness.newest.size
        signedAt = Date(milliseconds: kept.witness.newest.at)
        since = kept.since
        note = kept.witness.newest.note
        key = kept.witness.key
    }
}

extension Replica {
    /// Holds the house's audit trail against what was seen of it here before, and keeps the newest of it.
    ///
    /// A house that was restored from a backup, or whose trail was cut or written anew, cannot show that its trail only grew. That is an
    /// alarm, and stays one until `acceptTrail`.
    /// - Parameter age: seconds within which the house is not asked again.
    /// - Returns: nil where it is not for this person, who neither owns nor administers the house, or where the house keeps none.
    public func checkTrail(ifOlderThan age: TimeInterval = 0) async throws -> TrailReport? {
        let (trails, now) = (Trails(sealing: store.sealing), surroundings.now())
        let row = try await store.read { try trails.read(in: $0) }
        if let kept = row?.kept, kept.alarm != nil { return TrailReport(kept) }
        // Whose it is not asks again on the next day: rights may have changed.
        let pause = row?.kept == nil && age > 0 ? max(age, Self.pauseOfOthers) : age
        if let row, abs(now.timeIntervalSince(row.askedAt)) < pause { return row.kept.map { TrailReport($0) } }
        let kept = try await isTheirs(row?.kept) ? try await look(row?.kept) : nil
        try await store.write { try trails.write(kept, at: now, in: $0) }
        return kept.map { TrailReport($0) }
    }

    private static let pauseOfOthers: TimeInterval = 86_400

    /// A refusal would be on record: the house is not asked for what it will not show.
    private func isTheirs(_ kept: Trails.Kept?) async throws -> Bool {
        if kept != nil { return true }
        return try await client.people.me().permissions.contains(.managePeople)
    }

    /// Takes the trail as it is now for the right one, as after a backup was restored. What was kept before is forgotten.
    @discardableResult
    public func acceptTrail() async throws -> TrailReport? {
        let trails = Trails(sealing: store.sealing)
        try await store.write { try trails.forget(in: $0) }
        return try await checkTrail()
    }

    /// What was seen last, without asking.
    public func trail() async throws -> TrailReport? {
        let trails = Trails(sealing: store.sealing)
        return try await store.read { try trails.read(in: $0) }?.kept.map { TrailReport($0) }
    }

    /// - Returns: nil where there is nothing to be seen yet, or it is not for this person any more.
    private func look(_ kept: Trails.Kept?) async throws -> Trails.Kept? {
        do {
            guard let kept else {
                let shown = try await client.audit.checkpoint().shown
                return Trails.Kept(witness: try AuditWitness(shown), since: surroundings.now())
            }
            return try await again(kept)
        } catch ClientError.api(let error) where error.code == "audit_not_signed" {
            // Where something was seen signed, a trail of which nothing is signed was cut.
            guard var kept else { return nil }
            kept.alarm = .truncated
            return kept
        } catch ClientError.api(let error) where [403, 404].contains(error.status) {
            // What was seen stays seen, whatever is said now.
            return kept
        } catch is AuditWitness.Alarm {
            throw ClientError.invalidResponse("what it shows of its audit trail is not signed by its key")
        }
    }

    private func again(_ kept: Trails.Kept) async throws -> Trails.Kept {
        var kept = kept
        var size = kept.witness.newest.size
        var found = try await checkpoint(from: size)
        if found == nil, let whole = kept.witness.whole {
            // What it ended in is gone, its time being over. Of whole segments the proof stays.
            size = whole.size
            found = try await checkpoint(from: size)
        }
        guard let answer = found else { throw ClientError.invalidResponse("it has dropped what was seen of its audit trail") }
        kept.alarm = Self.alarm(of: &kept.witness, at: answer.shown, from: size)
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

    private static func alarm(of witness: inout AuditWitness, at shown: AuditWitness.Shown, from size: Int64) -> AuditWitness.Alarm? {
        do {
            try witness.take(shown, from: size)
            return nil
        } catch { return error }
    }
}

/// The row in which it is kept.
struct Trails: Sendable {
    let sealing: SealingKey

    struct Kept: Codable, Sendable {
        var witness: AuditWitness
        /// When it was seen first.
        let since: Date
        var alarm: AuditWitness.Alarm?
        /// What the house showed when it came to the alarm: signed by it, both are proof against it.
        var evidence: String?
    }

    private static let place = "trail/1/sealed"

    func read(in db: Database) throws -> (kept: Kept?, askedAt: Date)? {
        guard let row = try Row.fetchOne(db, sql: "SELECT sealed, asked_at FROM trail") else { return nil }
        let kept = try (row[0] as Data?).map { try JSONDecoder().decode(Kept.self, from: sealing.open($0, for: Self.place)) }
        return (kept, Date(milliseconds: row[1]))
    }

    func write(_ kept: Kept?, at now: Date, in db: Database) throws {
        let sealed = try kept.map { try sealing.seal(JSONEncoder().encode($0), for: Self.place) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO trail (id, asked_at, sealed) VALUES (1, ?, ?)", arguments: [now.milliseconds, sealed])
    }

    func forget(in db: Database) throws { try db.execute(sql: "DELETE FROM trail") }
}
