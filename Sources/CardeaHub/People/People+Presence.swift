import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension People {
    /// Sets that the person is home, or not. Repeating it changes nothing.
    public func setPresence(isHome: Bool, by principal: Principal, origin: RequestOrigin) async throws -> (
        personID: String, presence: Person.Presence
    ) {
        let now = environment.now()
        return try await store.auditedWrite("people.presence", by: principal, origin: origin, at: now) { context in
            let person = try Self.require(.controlDevices, of: principal, in: context.db)
            try PresenceSources.updateLastReport(of: person.id, at: now, in: context.db)
            if let presence = person.presence, presence.isHome == isHome { return (person.id, presence) }
            try context.db.execute(
                sql: "UPDATE people SET is_home = ?, presence_at = ? WHERE id = ?", arguments: [isHome, now.milliseconds, person.id])
            let seq = try Journal.append(.personChanged, subject: person.id, data: ["is_home": .bool(isHome)], at: now, in: context.db)
            try AuditLog.append(.init(who: .init(principal), action: "people.presence", result: .done, journalSeq: seq), in: context)
            return (person.id, Person.Presence(isHome: isHome, since: Date(milliseconds: now.milliseconds)))
        }
    }

    /// Imports presences from another record, by person id. Later reports that the house has already are kept.
    public func importPresences(_ presences: [String: Person.Presence]) async throws {
        guard !presences.isEmpty else { return }
        try await store.write { db in
            for (id, presence) in presences {
                try db.execute(
                    sql: "UPDATE people SET is_home = ?1, presence_at = ?2 WHERE id = ?3 AND (presence_at IS NULL OR presence_at < ?2)",
                    arguments: [presence.isHome, presence.since.milliseconds, id])
            }
        }
    }
}
