import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Keeps the audit trail: at the end of every transaction it seals what the writes left for it, and chains it to what stands there.
final class AuditLedger: Sendable {
    let keys: AuditKeys
    /// Refusals that it has put on record since the hub started; one whose transaction came to nothing counts as well.
    let refusals = Tally()

    final class Tally: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }

        fileprivate func add(_ number: Int) { if number > 0 { count.withLock { $0 += number } } }
    }

    /// Takes the notes of `store` from now on.
    init(store: Store, sealing: SealingKey, at now: Date) async throws {
        let keys = try await store.write { try AuditKeys(sealing: sealing, at: now, in: $0) }
        self.keys = keys
        store.beforeCommit { [refusals] notes, db in
            try Self.write(notes, keys, in: db)
            refusals.add(notes.count { $0.result == "refused" })
        }
        store.onCommit { _ in keys.committed() }
    }

    // MARK: Writing

    private static func write(_ notes: [AuditNote], _ keys: AuditKeys, in db: Database) throws {
        keys.begin()
        guard !notes.isEmpty else { return }
        // One writer, and its transaction is open: nobody else adds an entry meanwhile.
        var chain = try head(db)
        for note in notes { try write(note, after: &chain, keys, in: db) }
    }

    /// The chain as it stands.
    static func head(_ db: Database) throws -> AuditChain {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1"))
            .map { AuditChain(seq: $0[0], hash: $0[1]) } ?? AuditChain()
    }

    private static func write(_ note: AuditNote, after chain: inout AuditChain, _ keys: AuditKeys, in db: Database) throws {
        let seq = chain.seq + 1
        func part(_ text: String, _ column: String, _ key: AuditKeys.DataKey) throws -> AuditRecord.Part {
            AuditRecord.Part(key: key.id, sealed: try key.key.seal(Data(text.utf8), for: place(seq, column)))
        }
        let record = AuditRecord(
            seq: seq, at: note.at.milliseconds, event: try part(note.eventText, "event", keys.house),
            actor: try part(note.actorText, "actor", note.actor.map { try keys.key(of: $0, at: note.at, in: db) } ?? keys.house),
            subject: try note.subject.map { try part(note.subjectText, "subject", keys.key(of: $0, at: note.at, in: db)) })
        chain.append(record.canonical)
        try db.cachedStatement(
            sql: """
                INSERT INTO audit (seq, version, at, event_key, event, actor, actor_sealed, subject, subject_sealed, hash, device, result,
                    command, action) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            seq, record.version, record.at, record.event.key, record.event.sealed, record.actor.key, record.actor.sealed,
            record.subject?.key, record.subject?.sealed, chain.hash, note.deviceID.map { keys.mark("device", $0) },
            keys.mark("result", note.result), note.commandID.map { keys.mark(command: $0) }, keys.mark("action", note.action),
        ])
    }

    /// What a part is sealed for: table, row, column and version.
    private static func place(_ seq: Int64, _ column: String) -> String {
        "audit/\(seq)/\(column)/\(AuditRecord.version)"
    }

    // MARK: Reading

    /// In the order in which `record` reads them.
    static let columns = "a.seq, a.version, a.at, a.event_key, a.event, a.actor, a.actor_sealed, a.subject, a.subject_sealed"

    static func record(_ row: Row) -> AuditRecord {
        let subject = (row[7] as Int64?).flatMap { key in (row[8] as Data?).map { AuditRecord.Part(key: key, sealed: $0) } }
        return AuditRecord(
            version: row[1], seq: row[0], at: row[2], event: .init(key: row[3], sealed: row[4]), actor: .init(key: row[5], sealed: row[6]),
            subject: subject)
    }

    /// What `records` say, with one look for all their keys.
    ///
    /// - Throws: `AuditChain.Break` for one that does not open.
    func open(_ records: [AuditRecord], in db: Database) throws -> [(seq: Int64, note: AuditNote)] {
        let names = Set(records.flatMap { [$0.event.key, $0.actor.key, $0.subject?.key].compactMap(\.self) })
        let standings = try keys.standings(of: names, in: db)
        return try records.map { ($0.seq, try Self.open($0, by: standings)) }
    }

    static func open(_ record: AuditRecord, by keys: [Int64: AuditKeys.Standing]) throws(AuditChain.Break) -> AuditNote {
        func opened(_ part: AuditRecord.Part, _ column: String) throws(AuditChain.Break) -> Data? {
            switch keys[part.key] {
            case nil, .lost: throw AuditChain.Break(seq: record.seq, fault: .keyless)
            case .destroyed: return nil
            case .opens(let key):
                do {
                    return try key.open(part.sealed, for: place(record.seq, column))
                } catch {
                    throw AuditChain.Break(seq: record.seq, fault: .forged)
                }
            }
        }
        let (event, actor) = (try opened(record.event, "event"), try opened(record.actor, "actor"))
        var subject: Data?
        if let part = record.subject { subject = try opened(part, "subject") }
        do {
            return try AuditNote(event: event ?? Data(), actor: actor, subject: subject)
        } catch {
            throw AuditChain.Break(seq: record.seq, fault: .forged)
        }
    }
}
