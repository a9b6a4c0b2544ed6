import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Who is signed in, read once and kept until anything about sessions or people is committed. Every request asks here, and a
/// session that has ended is found ended by the next one.
final class LiveSessions: Sendable {
    struct Session: Sendable {
        let person: Person
        let expiresAt: Date
    }

    private let store: Store
    private let watch: TableWatch
    private let kept = Mutex<(commits: Int, sessions: [String: Session])>((0, [:]))

    init(store: Store) {
        self.store = store
        watch = store.watch(["sessions", "people"])
    }

    /// The person behind a session that has not ended, whose person is still of the house.
    func person(of sessionID: String, at now: Date) async throws -> Person? {
        // Counted before it is read: a commit in between makes what is read here old at once, never the other way round.
        let commits = watch.commits
        if let known = kept.withLock({ $0.commits == commits ? $0.sessions[sessionID] : nil }) {
            return now < known.expiresAt ? known.person : nil
        }
        let session = try await store.read { try Self.read(sessionID, $0) }
        guard let session else { return nil }
        kept.withLock { kept in
            if kept.commits != commits || kept.sessions.count >= 1024 { kept = (commits, [:]) }
            kept.sessions[sessionID] = session
        }
        return now < session.expiresAt ? session.person : nil
    }

    private static func read(_ id: String, _ db: Database) throws -> Session? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT person_id, expires_at FROM sessions WHERE id = ? AND ended_at IS NULL"), arguments: [id])
        guard let row, let person = try People.person(row["person_id"], db), !person.isDisabled else { return nil }
        return Session(person: person, expiresAt: Date(milliseconds: row["expires_at"]))
    }
}
