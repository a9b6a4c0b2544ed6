import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Jobs as rows.
enum JobRecords {
    private static let columns = """
        id, kind, person_id, asked_by, state, step, done, total, asked_at, finished_at, expires_at, bytes, problem,
        opened(receipt, 'jobs.receipt', id)
        """

    static func one(_ id: String, _ db: Database) throws -> Job? {
        try Row.fetchOne(db, sql: "SELECT \(columns) FROM jobs WHERE id = ?", arguments: [id]).flatMap(job)
    }

    /// One that has not ended yet.
    static func open(_ kind: Job.Kind, of personID: String, _ db: Database) throws -> Job? {
        try Row.fetchOne(
            db, sql: "SELECT \(columns) FROM jobs WHERE kind = ? AND person_id = ? AND state IN ('waiting', 'running')",
            arguments: [kind.rawValue, personID]
        ).flatMap(job)
    }

    /// Those that have not ended yet, in the order of their requests.
    static func allOpen(_ kind: Job.Kind, _ db: Database) throws -> [Job] {
        try Row.fetchAll(
            db, sql: "SELECT \(columns) FROM jobs WHERE kind = ? AND state IN ('waiting', 'running') ORDER BY asked_at, id",
            arguments: [kind.rawValue]
        ).compactMap(job)
    }

    /// The newest first.
    static func all(askedBy personID: String?, _ db: Database) throws -> [Job] {
        try Row.fetchAll(
            db, sql: "SELECT \(columns) FROM jobs WHERE ?1 IS NULL OR asked_by = ?1 ORDER BY asked_at DESC, id DESC LIMIT 100",
            arguments: [personID]
        ).compactMap(job)
    }

    /// The job that has waited longest, or was interrupted; none of those that were tried just now.
    static func next(but tried: Set<String>, _ db: Database) throws -> Job? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT \(columns) FROM jobs
                WHERE state IN ('running', 'waiting') AND id NOT IN (\(databaseQuestionMarks(count: tried.count)))
                ORDER BY state, asked_at, id LIMIT 1
                """, arguments: StatementArguments(tried)
        ).flatMap(job)
    }

    /// Stores the receipt, sealed: the counts so far, and while the job runs the names and ids.
    static let keepReceipt = "UPDATE jobs SET receipt = sealed(?, 'jobs.receipt', id) WHERE id = ?"

    static func insert(_ id: String, _ kind: Job.Kind, of personID: String, askedBy: String?, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO jobs (id, kind, person_id, asked_by, step, asked_at) VALUES (?, ?, ?, ?, 'waiting', ?)",
            arguments: [id, kind.rawValue, personID, askedBy, now.milliseconds])
    }

    static func progress(_ id: String, step: String, done: Int, total: Int?, in db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE jobs SET state = 'running', step = ?, done = ?, total = ? WHERE id = ? AND state IN ('waiting', 'running')"
        ).execute(arguments: [step, done, total, id])
    }

    /// Ends a job as done, and notifies the person who asked.
    ///
    /// - Returns: false if it had ended before.
    @discardableResult
    static func finish(_ id: String, at now: Date, expiresAt: Date? = nil, bytes: Int64? = nil, receipt: JSONValue? = nil, in db: Database)
        throws -> Bool
    {
        try db.execute(
            sql: """
                UPDATE jobs SET state = 'done', step = 'done', done = coalesce(total, done), finished_at = ?, expires_at = ?, bytes = ?,
                    receipt = sealed(?, 'jobs.receipt', id)
                WHERE id = ? AND state IN ('waiting', 'running')
                """,
            arguments: [now.milliseconds, expiresAt?.milliseconds, bytes, try receipt.map { try JSONText.encode($0) }, id])
        guard db.changesCount > 0 else { return false }
        try notify(id, at: now, in: db)
        return true
    }

    /// Ends a job as failed, and notifies the person who asked. A partial export cannot be opened any more.
    static func fail(_ id: String, because problem: String, at now: Date, in db: Database) throws {
        try end(id, at: nil, because: problem, at: now, in: db)
        if db.changesCount > 0 { try notify(id, at: now, in: db) }
    }

    /// Stops a job.
    ///
    /// - Parameter tells: false if the person who asked for the job stops it, since they know.
    static func stop(_ id: String, tells: Bool, at now: Date, in db: Database) throws {
        try end(id, at: "stopped", because: "It was stopped.", at: now, in: db)
        if tells { try notify(id, at: now, in: db) }
    }

    private static func end(_ id: String, at step: String?, because problem: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE jobs SET state = 'failed', step = coalesce(?, step), finished_at = ?, problem = ?, file_key = NULL
                WHERE id = ? AND state IN ('waiting', 'running')
                """, arguments: [step, now.milliseconds, problem, id])
    }

    /// Writes a journal row that the job has ended. The recipient and the text are looked up at delivery: the person who asked may have
    /// been erased by then, and the journal must not name anyone.
    private static func notify(_ id: String, at now: Date, in db: Database) throws {
        let hasAsker = try Bool.fetchOne(db, sql: "SELECT asked_by IS NOT NULL FROM jobs WHERE id = ?", arguments: [id])
        guard hasAsker == true else { return }
        try Journal.append(.mindChanged, subject: id, data: ["notice": .string(NoticeKind.work.rawValue)], at: now, in: db)
    }

    /// Returns whether the job has not ended yet.
    static func isOpen(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT state IN ('waiting', 'running') FROM jobs WHERE id = ?"), arguments: [id]) == true
    }

    /// Returns the number of erasures and the time of the last one; nil while one is under way.
    static func erasures(_ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT iif(total(state = 'running') = 0, (SELECT count(*) FROM erasures) || '/' || coalesce(max(finished_at), 0), NULL)
                    FROM jobs WHERE kind = 'erasure'
                    """))
    }

    private static func job(_ row: Row) -> Job? {
        guard let kind = Job.Kind(rawValue: row[1]), let state = Job.State(rawValue: row[4]) else { return nil }
        return Job(
            id: row[0], kind: kind, personID: row[2], askedBy: row[3], state: state, step: row[5], done: row[6], total: row[7],
            askedAt: Date(milliseconds: row[8]), finishedAt: (row[9] as Int64?).map(Date.init(milliseconds:)),
            expiresAt: (row[10] as Int64?).map(Date.init(milliseconds:)), bytes: row[11], problem: row[12],
            receipt: (row[13] as String?).flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) })
    }
}
