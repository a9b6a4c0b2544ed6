import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The entities of integrations that report whether people are home. Each person links and unlinks only their own.
public struct PresenceSources: Sendable {
    let store: Store
    let commands: Commands
    let environment: HubEnvironment

    public enum PresenceSourceError: Error {
        /// No integration has such a source.
        case unknown
        /// Another person has linked it.
        case linkedByOther
    }

    public struct Candidate: Sendable {
        public let integration: String
        public let source: PresenceSource
    }

    public struct Link: Sendable {
        public let integration: String
        let key: String
        public let linkedAt: Date
        /// nil while the integration is away, and if it no longer has the entity.
        public var source: PresenceSource?
    }

    /// A person's link, and the sources that others have not linked.
    public struct Status: Sendable {
        public let link: Link?
        public let candidates: [Candidate]
    }

    private static let action = "people.presence_source"

    /// The person's own link, and the sources to choose from.
    public func status(of principal: Principal) async throws -> Status {
        let (links, id) = try await store.read { db in
            let id = try People.require(.controlDevices, of: principal, in: db).id
            return (try Self.links(db), id)
        }
        let candidates = await candidates()
        let (own, others) = (links[id], links.filter { $0.key != id }.values)
        var link = own
        link?.source = candidates.first { $0.integration == own?.integration && $0.source.key == own?.key }?.source
        let free = candidates.filter { one in !others.contains { $0.integration == one.integration && $0.key == one.source.key } }
        return Status(link: link, candidates: free)
    }

    /// Links a source to the person who asks, in place of the one before.
    ///
    /// - Throws: `PresenceSourceError`
    public func link(_ entityID: String, by principal: Principal, origin: RequestOrigin) async throws -> Status {
        let now = environment.now()
        try await store.audited(Self.action, by: principal, origin: origin, at: now) {
            try await store.read { _ = try People.require(.controlDevices, of: principal, in: $0) }
        }
        guard let chosen = await candidates().first(where: { $0.source.entityID == entityID }) else { throw PresenceSourceError.unknown }
        let (integration, key) = (chosen.integration, chosen.source.key)
        try await store.auditedWrite(Self.action, by: principal, origin: origin, at: now) { context in
            let id = try People.require(.controlDevices, of: principal, in: context.db).id
            for (other, link) in try Self.links(context.db) where link.integration == integration && link.key == key {
                guard other == id else { throw PresenceSourceError.linkedByOther }
                return
            }
            try Self.delete(id, in: context.db)
            try context.db.execute(
                sql: "INSERT INTO presence_sources (person_id, integration, source, linked_at) VALUES (?, ?, ?, ?)",
                arguments: [id, integration, key, now.milliseconds])
            try Self.recordChange(of: id, isLinked: true, in: context)
        }
        // Read again: a state between the first read and the commit was not reported.
        if let presence = await candidates().first(where: { $0.integration == integration && $0.source.key == key })?.source.presence {
            try await report([key: presence], of: integration)
        }
        return try await status(of: principal)
    }

    /// Removes the person's own link. Their presence keeps its last value.
    public func unlink(by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite(Self.action, by: principal, origin: origin, at: now) { context in
            if case .apiToken = principal { throw People.PersonError.forbiddenToProgram }
            guard case .person(let id, _) = principal, try PeopleRecords.one(id, context.db) != nil else {
                throw People.PersonError.forbidden(.noGrant)
            }
            guard try Self.delete(id, in: context.db) else { return }
            try Self.recordChange(of: id, isLinked: false, in: context)
        }
    }

    private func candidates() async -> [Candidate] {
        var found: [Candidate] = []
        for integration in commands.readyIntegrations.sorted() {
            guard let backend = commands.backend(integration) else { continue }
            found += await backend.presenceSources().map { Candidate(integration: integration, source: $0) }
        }
        return found
    }

    // MARK: Rows

    /// The links of all people, by their ids.
    private static func links(_ db: Database) throws -> [String: Link] {
        let rows = try Row.fetchAll(db, sql: "SELECT person_id, integration, source, linked_at FROM presence_sources")
        return rows.reduce(into: [:]) { links, row in
            let (id, linkedAt): (String, Int64) = (row[0], row[3])
            links[id] = Link(integration: row[1], key: row[2], linkedAt: Date(milliseconds: linkedAt))
        }
    }

    /// Takes a person's link away; false if there is none.
    @discardableResult
    static func delete(_ personID: String, in db: Database) throws -> Bool {
        try db.execute(sql: "DELETE FROM presence_sources WHERE person_id = ?", arguments: [personID])
        return db.changesCount > 0
    }

    /// Removes all links to entities of a removed integration.
    static func delete(integration: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM presence_sources WHERE integration = ?", arguments: [integration])
    }

    /// The person said themselves where they are: an older report no longer counts.
    static func updateLastReport(of personID: String, at moment: Date, in db: Database) throws {
        try db.execute(
            sql: "UPDATE presence_sources SET heard_at = ? WHERE person_id = ?", arguments: [moment.milliseconds, personID])
    }

    private static func recordChange(of personID: String, isLinked: Bool, in context: TransactionContext) throws {
        let seq = try Journal.append(
            .personChanged, subject: personID, data: ["presence_source": .bool(isLinked)], at: context.now, in: context.db)
        try AuditLog.append(.init(who: .init(context.principal), action: action, result: .done, journalSeq: seq), in: context)
    }
}

// MARK: Reports

extension PresenceSources: PresenceSink {
    public func linkedSources(of integration: String) async throws -> Set<String> {
        try await store.read { db in
            try Set(String.fetchAll(db, sql: "SELECT source FROM presence_sources WHERE integration = ?", arguments: [integration]))
        }
    }

    public func report(_ presences: [String: Person.Presence], of integration: String) async throws {
        let now = environment.now()
        // Most reports repeat a known state, and a commit has a cost.
        let isNews = try await store.read { try !Self.newerReports(presences, of: integration, at: now, $0).isEmpty }
        guard isNews else { return }
        try await store.write { db in
            for (person, presence) in try Self.newerReports(presences, of: integration, at: now, db) {
                try Self.updateLastReport(of: person.id, at: presence.since, in: db)
                guard person.presence?.isHome != presence.isHome else { continue }
                let since = presence.since.milliseconds
                try db.execute(
                    sql: "UPDATE people SET is_home = ?, presence_at = ? WHERE id = ?", arguments: [presence.isHome, since, person.id])
                try Journal.append(
                    .personChanged, subject: person.id, data: ["is_home": .bool(presence.isHome), "since": .number(Double(since))],
                    at: now, in: db)
            }
        }
    }

    /// The reports that are newer than the newest one about their person, of people who may report their presence.
    private static func newerReports(
        _ presences: [String: Person.Presence], of integration: String, at now: Date, _ db: Database
    ) throws -> [(person: Person, presence: Person.Presence)] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT person_id, source, heard_at FROM presence_sources WHERE integration = ? ORDER BY person_id",
            arguments: [integration])
        return try rows.compactMap { row in
            let (id, key, heardAt): (String, String, Int64?) = (row[0], row[1], row[2])
            guard let said = presences[key], let person = try PeopleRecords.one(id, db), person.rights.contains(.controlDevices) else {
                return nil
            }
            // A source's clock that runs ahead must not make its report newer than all later ones.
            let since = min(said.since, now)
            let newest = max(heardAt ?? .min, person.presence?.since.milliseconds ?? .min)
            guard since.milliseconds > newest else { return nil }
            return (person: person, presence: Person.Presence(isHome: said.isHome, since: since))
        }
    }
}
