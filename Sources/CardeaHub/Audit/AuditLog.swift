import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Who asked what, by which grant, and what came of it: refusals too. Written in the transaction of what it tells, sealed and chained by
/// `AuditLogWriter`.
enum AuditLog {
    struct Entry {
        var who: AuditActor
        var action: String
        var deviceID: String?
        var entityID: String?
        /// The pass, the role or the token by which it was asked, or which it is about. Whose it is sees the entry too.
        var grantID: String?
        /// The button or the tag by which it was asked.
        var means: CommandTrigger?
        var result: Outcome
        var reason: AuditReason?
        var commandID: String?
        var journalSeq: Int64?
    }

    enum AuditActor {
        case person(String)
        case guest(String)
        /// Another system of the house.
        case system(String)
        case stranger
        /// The house itself.
        case house

        var kind: String {
            switch self {
            case .person: "person"
            case .guest: "guest"
            case .stranger: "stranger"
            case .system, .house: "system"
            }
        }

        var id: String? {
            switch self {
            case .person(let id), .guest(let id), .system(let id): id
            case .stranger, .house: nil
            }
        }

        init(_ principal: Principal) {
            switch principal {
            case .person(let id, _): self = .person(id)
            case .guest(let id): self = .guest(id)
            // What a program does, its maker does, and what an automation does, whoever answers for it; the grant says by which.
            case .apiToken(_, let personID), .automation(_, let personID): self = .person(personID)
            case .integration(let name): self = .system(name)
            }
        }
    }

    /// What came of it.
    enum Outcome {
        case allowed, asked, refused, done
        /// The trail itself was looked at.
        case read
        /// A command came to its end.
        case ended(CommandStatus)

        var name: String {
            switch self {
            case .allowed: "allowed"
            case .asked: "asked"
            case .refused: "refused"
            case .done: "done"
            case .read: "read"
            case .ended(let status): status.rawValue
            }
        }
    }

    /// Leaves the entry for the end of the transaction that `db` is in, where it is sealed and chained.
    static func append(_ entry: Entry, origin: RequestOrigin, at now: Date, in db: Database) throws {
        var note = UnsealedAuditEntry(at: now, kind: entry.who.kind, id: entry.who.id, action: entry.action, result: entry.result.name)
        note.deviceID = entry.deviceID
        note.entityID = entry.entityID
        note.grantID = entry.grantID
        note.means = entry.means?.rawValue
        note.reason = entry.reason
        note.commandID = entry.commandID
        note.journalSeq = entry.journalSeq
        note.remote = origin.remote
        note.requestID = origin.requestID
        try db.enqueue(note)
    }
}
