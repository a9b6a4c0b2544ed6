import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// People as rows, with the invitations by which they come in, and the claim by which the first of them does.
enum PeopleRecords {
    /// Every person of the house, in the order in which they joined.
    static func all(_ db: Database) throws -> [Person] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(columns) FROM people WHERE removed_at IS NULL ORDER BY created_at, id"))
            .compactMap(person)
    }

    /// Nil for a person who was removed.
    static func one(_ id: String, _ db: Database) throws -> Person? {
        try Row.fetchOne(db.cachedStatement(sql: selectOne), arguments: [id]).flatMap(person)
    }

    private static let selectOne = "SELECT \(columns) FROM people WHERE id = ? AND removed_at IS NULL"

    /// Returns the grant of a resident, for the gate: it does not need the names, which are sealed.
    static func grant(_ id: String, _ db: Database) throws -> Grant? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT role, disabled FROM people WHERE id = ? AND removed_at IS NULL"), arguments: [id])
        guard let row, let role = Role(rawValue: row[0]) else { return nil }
        return Person.grant(id, role: role, isDisabled: row[1])
    }

    /// Returns a person as they see themselves, in one read.
    static func profile(_ id: String, _ db: Database) throws -> (person: Person, temperatureUnit: TemperatureUnit)? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(columns), (SELECT temperature_unit FROM preferences WHERE person_id = people.id) FROM people
                    WHERE id = ? AND removed_at IS NULL
                    """), arguments: [id])
        guard let row, let person = person(row) else { return nil }
        let unit = (row[11] as String?).flatMap { TemperatureUnit(rawValue: $0) }
        return (person, unit ?? Preferences().temperatureUnit)
    }

    /// Returns whether a person has exactly that user name.
    static func usernameExists(_ username: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT 1 FROM people WHERE username_mark = marked(?, 'people.username')", arguments: [username]) == true
    }

    /// Returns whether no person has that user name, or one that differs only by the width of its letters.
    ///
    /// - Parameter username: in its prepared form.
    static func isUsernameAvailable(_ username: String, _ db: Database) throws -> Bool {
        guard try !usernameExists(username, db) else { return false }
        return try usernames(db).allSatisfy { UserName.prepared($0.username) != username }
    }

    private static func usernames(_ db: Database) throws -> [(id: String, username: String)] {
        try Row.fetchAll(
            db, sql: "SELECT id, coalesce(opened(username, 'people.username', id), '') FROM people WHERE username IS NOT NULL ORDER BY id"
        ).map { (id: $0[0] as String, username: $0[1] as String) }
    }

    /// Converts the user names of older versions to the present form. A name whose new form is already used stays: its person signs in with
    /// exactly that name.
    static func normalizeUsernames(in store: Store) async throws {
        guard try await !store.read({ try unnormalizedUsernames($0) }).isEmpty else { return }
        try await store.write { db in
            for (id, name) in try unnormalizedUsernames(db) {
                // Of two names that become equal, the first keeps it.
                guard try !usernameExists(name, db) else { continue }
                try db.execute(
                    sql: """
                        UPDATE people SET username = sealed(:name, 'people.username', id), username_mark = marked(:name, 'people.username')
                        WHERE id = :id
                        """, arguments: ["name": name, "id": id])
            }
        }
    }

    /// Returns the people whose user names have an older form, with the present form if it is free.
    private static func unnormalizedUsernames(_ db: Database) throws -> [(id: String, name: String)] {
        var due: [(id: String, name: String)] = []
        for (id, username) in try usernames(db) {
            let name = UserName.prepared(username)
            guard !name.isEmpty, !name.utf8.elementsEqual(username.utf8), try !usernameExists(name, db) else { continue }
            due.append((id: id, name: name))
        }
        return due
    }

    static func insert(id: String, username: String?, name: String, role: Role, hash: String?, at now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO people (id, username, username_mark, name, role, password_hash, created_at)
                VALUES (:id, sealed(:username, 'people.username', :id), marked(:username, 'people.username'),
                    sealed(:name, 'people.name', :id), :role, :hash, :now)
                """,
            arguments: [
                "id": id, "username": username, "name": name, "role": role.rawValue, "hash": hash, "now": now.milliseconds,
            ])
    }

    /// Writes the given changes of a person; nil leaves a value as it is.
    ///
    /// - Parameters:
    ///   - name: already validated.
    ///   - role: already parsed.
    static func change(_ id: String, name: String?, role: Role?, _ change: People.Change, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE people SET name = coalesce(sealed(?, 'people.name', id), name), role = coalesce(?, role),
                    can_invite_guests = coalesce(?, can_invite_guests), disabled = coalesce(?, disabled),
                    version = version + 1 WHERE id = ?
                """, arguments: [name, role?.rawValue, change.canInviteGuests, change.disabled, id])
    }

    /// - Parameter oldHash: the hash of the password that was checked; nil if another proof stood in for it.
    /// - Returns: false if another password was chosen since, or the person was removed.
    static func changePassword(of id: String, from oldHash: String?, to hash: String, in db: Database) throws -> Bool {
        try db.execute(
            sql: "UPDATE people SET password_hash = ? WHERE id = ? AND removed_at IS NULL AND (? IS NULL OR password_hash = ?)",
            arguments: [hash, id, oldHash, oldHash])
        return db.changesCount == 1
    }

    /// Removes a person, with their invitation and display preferences. Their name stays, for the records that mention them.
    static func remove(_ id: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE people SET removed_at = ?, username = NULL, username_mark = NULL, password_hash = NULL, is_home = NULL,
                    presence_at = NULL WHERE id = ?
                """, arguments: [now.milliseconds, id])
        try endInvitations(of: id, in: db)
        try db.execute(sql: "DELETE FROM preferences WHERE person_id = ?", arguments: [id])
        try PresenceSources.delete(id, in: db)
    }

    // MARK: Adding

    /// Returns whether this is the token with which the house can be claimed; nil if the house is already claimed.
    static func isClaimToken(_ token: Secret, _ db: Database) throws -> Bool? {
        try Data.fetchOne(db, sql: "SELECT claim_hash FROM house WHERE claimed_at IS NULL").map { constantTimeEquals($0, token.digest) }
    }

    /// The house has an owner from now on. False if it has one already, or waits with another token by now.
    static func claimHouse(by token: Secret, named name: String, timeZone: String?, at now: Date, in db: Database) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE house SET claimed_at = ?, claim_hash = NULL, name = ?, time_zone = coalesce(?, time_zone),
                    revision = revision + 1
                WHERE claimed_at IS NULL AND claim_hash = ?
                """, arguments: [now.milliseconds, name, timeZone, token.digest])
        return db.changesCount == 1
    }

    static func invite(_ id: String, by token: Secret, until expiresAt: Date, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO person_invitations (hash, person_id, expires_at) VALUES (?, ?, ?)",
            arguments: [token.digest, id, expiresAt.milliseconds])
    }

    /// Returns the person whom the token invites; nil if it is unknown or expired.
    static func invitee(_ token: Secret, at now: Date, _ db: Database) throws -> String? {
        try String.fetchOne(
            db,
            sql: """
                SELECT p.id FROM person_invitations i JOIN people p ON p.id = i.person_id
                WHERE i.hash = ? AND i.accepted_at IS NULL AND i.expires_at > ? AND p.removed_at IS NULL AND p.disabled = 0
                """, arguments: [token.digest, now.milliseconds])
    }

    /// The invitation is used up, and whom it let in signs in as `username` from now on.
    static func accept(_ token: Secret, of id: String, username: String, hash: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "UPDATE person_invitations SET accepted_at = ? WHERE hash = ?", arguments: [now.milliseconds, token.digest])
        try db.execute(
            sql: """
                UPDATE people SET username = sealed(:name, 'people.username', id), username_mark = marked(:name, 'people.username'),
                    password_hash = :hash WHERE id = :id
                """, arguments: ["name": username, "hash": hash, "id": id])
    }

    static func endInvitations(of id: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM person_invitations WHERE person_id = ?", arguments: [id])
    }

    // MARK: Reading

    /// In the order in which `person` reads them; what `themselves` reads comes behind them.
    private static let columns = """
        id, opened(username, 'people.username', id), opened(name, 'people.name', id), role, can_invite_guests, disabled, created_at,
        last_seen_at, is_home, presence_at, version
        """

    private static func person(_ row: Row) -> Person? {
        guard let role = Role(rawValue: row[3]) else { return nil }
        return Person(
            id: row[0], username: row[1], name: row[2], role: role, canInviteGuests: row[4], isDisabled: row[5],
            createdAt: Date(milliseconds: row[6]), lastSeenAt: (row[7] as Int64?).map(Date.init(milliseconds:)),
            presence: presence(row[8], row[9]), version: row[10])
    }

    private static func presence(_ isHome: Bool?, _ since: Int64?) -> Person.Presence? {
        guard let isHome, let since else { return nil }
        return Person.Presence(isHome: isHome, since: Date(milliseconds: since))
    }
}
