import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Who asked what, by which grant, and what came of it: refusals too. Written in the transaction of what it tells.
enum AuditTrail {
    struct Entry {
        var who: Who
        var action: String
        var deviceID: String?
        var entityID: String?
        var grantID: String?
        var result: Result
        var reason: String?
        var commandID: String?
        var journalSeq: Int64?
    }

    enum Who {
        case person(String)
        case guest(String)
        case stranger

        init(_ principal: Principal) {
            switch principal {
            case .person(let id, _): self = .person(id)
            case .guest(let id): self = .guest(id)
            // What a program does, its maker does; the grant says by which token.
            case .apiToken(_, let personID): self = .person(personID)
            }
        }
    }

    /// What came of it.
    enum Result {
        case allowed, asked, refused, done
        /// A command came to its end.
        case ended(CommandStatus)

        var name: String {
            switch self {
            case .allowed: "allowed"
            case .asked: "asked"
            case .refused: "refused"
            case .done: "done"
            case .ended(let status): status.rawValue
            }
        }
    }

    static func append(_ entry: Entry, origin: Origin, at now: Date, in db: Database) throws {
        let (kind, id): (String, String?) =
            switch entry.who {
            case .person(let id): ("person", id)
            case .guest(let id): ("guest", id)
            case .stranger: ("stranger", nil)
            }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO audit (at, journal_seq, who_kind, who_id, action, device_id, entity_id, grant_id, result, reason, command_id, remote, request_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            now.milliseconds, entry.journalSeq, kind, id, entry.action, entry.deviceID, entry.entityID, entry.grantID,
            entry.result.name, entry.reason, entry.commandID, origin.remote, origin.requestID,
        ])
    }
}
