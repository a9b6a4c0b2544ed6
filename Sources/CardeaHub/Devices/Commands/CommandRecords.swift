import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Commands as rows.
enum CommandRecords {
    static func insert(_ command: Command, risk: Risk, call: IdempotencyKey?, answerBy: Date?, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO commands (id, principal, idempotency_key, fingerprint, integration, device_id, entity_id, verb, spoken, value, transition,
                    guest_id, grant_id, is_way_in, risk, status, asks, accepted_at, not_after, answer_by, use_number, use_limit, remote, request_id,
                    means)
                VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, sealed(?, 'commands.remote', ?1), ?, ?)
                """
        ).execute(arguments: [
            command.id, command.principal, call?.key, call?.fingerprint, command.integration, command.deviceID, command.entityID,
            command.verb.rawValue,
            command.requestedActionName, try command.value.map(JSONText.encode), command.transition, command.guestID, command.grantID,
            command.isWayIn, risk.rawValue, command.status.rawValue, command.requiresApproval, command.acceptedAt.milliseconds,
            command.life.notAfter.milliseconds, answerBy?.milliseconds, command.useNumber, command.useLimit, command.origin?.remote,
            command.origin?.requestID, command.trigger?.rawValue,
        ])
    }

    static func one(_ id: String, _ db: Database) throws -> Command? {
        try Row.fetchOne(db.cachedStatement(sql: selectOne), arguments: [id]).flatMap(command)
    }

    private static let selectOne = "SELECT \(columns) FROM commands c WHERE id = ?"

    /// Those of `ids` that are still kept, by their ids.
    static func all(_ ids: Set<String>, _ db: Database) throws -> [String: Command] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: selectByID), arguments: [try JSONText.encode(.array(ids.map(JSONValue.string)))])
        var found: [String: Command] = [:]
        while let row = try rows.next() {
            if let command = try command(row) { found[command.id] = command }
        }
        return found
    }

    private static let selectByID = "SELECT \(columns) FROM commands c WHERE id IN (SELECT value FROM json_each(?))"

    static func withIdempotencyKey(_ key: String, by principal: String, _ db: Database) throws -> (command: Command, fingerprint: Data)? {
        let row = try Row.fetchOne(db.cachedStatement(sql: selectByIdempotencyKey), arguments: [principal, key])
        guard let row, let command = try command(row) else { return nil }
        return (command, row["fingerprint"] ?? Data())
    }

    private static let selectByIdempotencyKey =
        "SELECT \(columns), c.fingerprint FROM commands c WHERE principal = ? AND idempotency_key = ?"

    /// The pending commands at an entity: principal, and whether each waits for approval or is dispatched.
    static func occupants(at entityID: String, _ db: Database) throws -> [(principal: String, awaitsApproval: Bool, isDispatching: Bool)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT principal, asks AND status = 'accepted', status = 'dispatching' FROM commands
                    WHERE entity_id = ? AND status IN ('accepted', 'dispatching')
                    """), arguments: [entityID]
        ).map { ($0[0], $0[1], $0[2]) }
    }

    /// The pending commands at an entity, oldest first.
    static func pending(at entityID: String, _ db: Database) throws -> [Command] {
        try Row.fetchAll(db.cachedStatement(sql: selectPending), arguments: [entityID]).compactMap(command)
    }

    private static let selectPending = """
        SELECT \(columns) FROM commands c WHERE entity_id = ? AND status IN ('accepted', 'dispatching') ORDER BY accepted_at, c.rowid
        """

    static func allPending(_ db: Database) throws -> [Command] {
        try Row.fetchAll(
            db, sql: "SELECT \(columns) FROM commands c WHERE status IN ('accepted', 'dispatching') ORDER BY accepted_at, c.rowid"
        )
        .compactMap(command)
    }

    /// The origin of a stored command's request.
    static func origin(of id: String, _ db: Database) throws -> RequestOrigin {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT opened(remote, 'commands.remote', id), request_id FROM commands WHERE id = ?"), arguments: [id]
        ).orThrow(Commands.ApprovalError.notFound)
        return RequestOrigin(remote: row[0], isLocal: true, requestID: row[1])
    }

    static func markDispatching(_ id: String, notAfter: Date, answerBy: Date, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE commands SET status = 'dispatching', not_after = ?, answer_by = ? WHERE id = ?").execute(
            arguments: [notAfter.milliseconds, answerBy.milliseconds, id])
    }

    /// Notes that the device started to move. Only its first report of that counts: a device that never arrives must not block its door.
    static func markMoving(_ id: String, since: Date, answerBy: Date, in db: Database) throws -> Bool {
        try db.cachedStatement(sql: "UPDATE commands SET moving_since = ?, answer_by = ? WHERE id = ? AND moving_since IS NULL").execute(
            arguments: [since.milliseconds, answerBy.milliseconds, id])
        return db.changesCount > 0
    }

    /// A confirmed command has no reason, so nothing is sealed for it.
    static func markResolved(_ command: Command, in db: Database) throws {
        let state = try command.newState.map { state in
            try JSONText.encode(["state": .string(state.value), "attributes": .object(state.attributes)])
        }
        try db.cachedStatement(
            sql: """
                UPDATE commands SET status = ?1, finished_at = ?2, reason = iif(?3 IS NULL, NULL, sealed(?3, 'commands.reason', id)),
                    use_returned = ?4, new_state = ?5 WHERE id = ?6
                """
        ).execute(arguments: [
            command.status.rawValue, command.finishedAt?.milliseconds, command.reason, command.life.useReturned, state, command.id,
        ])
    }

    /// The columns of a command, in the order in which `command` reads them: by position, because a name is searched for each time.
    static let columns = """
        c.id, c.principal, c.guest_id, c.grant_id, c.integration, c.device_id, c.entity_id, c.verb, c.spoken, c.value, c.transition,
        c.is_way_in, c.status, c.use_returned, c.not_after, c.asks, c.accepted_at, c.answer_by, c.finished_at,
        iif(c.reason IS NULL, NULL, opened(c.reason, 'commands.reason', c.id)), c.use_number, c.use_limit, c.new_state, c.means
        """

    static func command(_ row: Row) throws -> Command? {
        guard let verb = Verb(rawValue: row[7]), let status = CommandStatus(rawValue: row[12]) else { return nil }
        var command = Command(
            id: row[0], principal: row[1], guestID: row[2], grantID: row[3], integration: row[4], deviceID: row[5], entityID: row[6],
            verb: verb, requestedActionName: row[8], value: try (row[9] as String?).map(JSONText.decode), transition: row[10],
            isWayIn: row[11],
            trigger: (row[23] as String?).flatMap(CommandTrigger.init),
            life: CommandStateMachine(status: status, useReturned: row[13], notAfter: Date(milliseconds: row[14])),
            requiresApproval: row[15],
            acceptedAt: Date(milliseconds: row[16]), reportDeadline: date(row[17]), finishedAt: date(row[18]), reason: row[19],
            newState: nil,
            useNumber: row[20], useLimit: row[21], origin: nil)
        if let state = try (row[22] as String?).map(JSONText.decode), case .object(let attributes)? = state["attributes"] {
            command.newState = EntityState(state["state"]?.string ?? "unknown", attributes: attributes)
        }
        return command
    }

    private static func date(_ milliseconds: Int64?) -> Date? { milliseconds.map(Date.init(milliseconds:)) }
}
