import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// One command, as the store keeps it.
public struct Command: Hashable, Sendable {
    public let id: String
    public let principal: String
    public let guestID: String?
    public let grantID: String
    public let deviceID: String
    public let entityID: String
    public let verb: Verb
    /// The dotted name a pass was asked by.
    public let spoken: String?
    public let value: JSONValue?
    public let transition: Double?
    public let isWayIn: Bool
    public internal(set) var life: CommandLife
    /// Whether somebody in the house must say yes first.
    public let asks: Bool
    public let acceptedAt: Date
    /// Until when the device may answer; nil before it was sent.
    var answerBy: Date?
    public internal(set) var finishedAt: Date?
    public internal(set) var reason: String?
    public internal(set) var newState: EntityState?
    public let useNumber: Int?
    public let useLimit: Int?
    let origin: Origin

    public var status: CommandStatus { life.status }

    /// Waiting for somebody's yes.
    public var isAsking: Bool { asks && status == .accepted }

    /// From acceptance to outcome, in milliseconds.
    public var executionTime: Int? {
        finishedAt.map { Int($0.milliseconds - acceptedAt.milliseconds) }
    }

    /// Uses of the pass counting this one, or without it where it was returned.
    public var usedCount: Int? {
        useNumber.map { life.useReturned ? $0 - 1 : $0 }
    }

    func order() -> DeviceOrder {
        DeviceOrder(
            commandID: id, deviceID: deviceID, entityID: entityID, verb: verb, value: value, transition: transition,
            notAfter: life.notAfter)
    }
}

/// Commands as rows.
enum CommandRecords {
    static func insert(_ command: Command, risk: Risk, call: CallName?, answerBy: Date?, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO commands (id, principal, idempotency_key, fingerprint, device_id, entity_id, verb, spoken, value, transition,
                    guest_id, grant_id, is_way_in, risk, status, asks, accepted_at, not_after, answer_by, use_number, use_limit, remote, request_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            command.id, command.principal, call?.key, call?.fingerprint, command.deviceID, command.entityID, command.verb.rawValue,
            command.spoken, try command.value.map(JSONText.encode), command.transition, command.guestID, command.grantID,
            command.isWayIn, risk.rawValue, command.status.rawValue, command.asks, command.acceptedAt.milliseconds,
            command.life.notAfter.milliseconds, answerBy?.milliseconds, command.useNumber, command.useLimit, command.origin.remote,
            command.origin.requestID,
        ])
    }

    static func one(_ id: String, _ db: Database) throws -> Command? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM commands WHERE id = ?"), arguments: [id]).flatMap(command)
    }

    static func named(_ key: String, by principal: String, _ db: Database) throws -> (command: Command, fingerprint: Data)? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM commands WHERE principal = ? AND idempotency_key = ?"), arguments: [principal, key])
        guard let row, let command = try command(row) else { return nil }
        return (command, row["fingerprint"] ?? Data())
    }

    /// Commands at an entity that have not ended, oldest first.
    static func open(at entityID: String, _ db: Database) throws -> [Command] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT * FROM commands WHERE entity_id = ? AND status IN ('accepted', 'dispatching') ORDER BY accepted_at, rowid"),
            arguments: [entityID]
        ).compactMap(command)
    }

    static func allOpen(_ db: Database) throws -> [Command] {
        try Row.fetchAll(db, sql: "SELECT * FROM commands WHERE status IN ('accepted', 'dispatching') ORDER BY accepted_at, rowid")
            .compactMap(command)
    }

    static func dispatching(_ id: String, notAfter: Date, answerBy: Date, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE commands SET status = 'dispatching', not_after = ?, answer_by = ? WHERE id = ?").execute(
            arguments: [notAfter.milliseconds, answerBy.milliseconds, id])
    }

    static func ended(_ command: Command, in db: Database) throws {
        let state = try command.newState.map { state in
            try JSONText.encode(["state": .string(state.value), "attributes": .object(state.attributes)])
        }
        try db.cachedStatement(
            sql: "UPDATE commands SET status = ?, finished_at = ?, reason = ?, use_returned = ?, new_state = ? WHERE id = ?"
        ).execute(arguments: [
            command.status.rawValue, command.finishedAt?.milliseconds, command.reason, command.life.useReturned, state, command.id,
        ])
    }

    static func command(_ row: Row) throws -> Command? {
        guard let verb = Verb(rawValue: row["verb"]), let status = CommandStatus(rawValue: row["status"]) else { return nil }
        let state = try (row["new_state"] as String?).map(JSONText.decode)
        var command = Command(
            id: row["id"], principal: row["principal"], guestID: row["guest_id"], grantID: row["grant_id"], deviceID: row["device_id"],
            entityID: row["entity_id"], verb: verb, spoken: row["spoken"], value: try (row["value"] as String?).map(JSONText.decode),
            transition: row["transition"], isWayIn: row["is_way_in"],
            life: CommandLife(
                status: status, useReturned: row["use_returned"], notAfter: Date(milliseconds: row["not_after"])),
            asks: row["asks"], acceptedAt: Date(milliseconds: row["accepted_at"]),
            answerBy: (row["answer_by"] as Int64?).map(Date.init(milliseconds:)),
            finishedAt: (row["finished_at"] as Int64?).map(Date.init(milliseconds:)), reason: row["reason"], newState: nil,
            useNumber: row["use_number"], useLimit: row["use_limit"],
            origin: Origin(remote: row["remote"], isLocal: true, requestID: row["request_id"]))
        if let state, case .object(let attributes)? = state["attributes"] {
            command.newState = EntityState(state["state"]?.string ?? "unknown", attributes: attributes)
        }
        return command
    }
}
