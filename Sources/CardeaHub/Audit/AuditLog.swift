import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The audit log: who requested what, under which grant, and the result, refusals included. An entry is written in the transaction of the
/// change it describes, and sealed and chained by `AuditLogWriter`.
enum AuditLog {
    struct Entry {
        var who: AuditActor
        var action: String
        var deviceID: String?
        var entityID: String?
        /// The pass, role or token that authorised the request, or that the entry is about. Its holder sees the entry too.
        var grantID: String?
        /// The button or the tag that was used.
        var trigger: CommandTrigger?
        var result: Outcome
        var reason: AuditReason?
        var commandID: String?
        var journalSeq: Int64?
    }

    enum AuditActor {
        case person(String)
        case guest(String)
        /// Another system, such as an integration.
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
            // Actions of a program belong to the person who made it, and actions of an automation to the person responsible for it. The
            // grant names the program or automation.
            case .apiToken(_, let personID), .automation(_, let personID): self = .person(personID)
            case .integration(let name): self = .system(name)
            }
        }
    }

    /// The result of a request.
    enum Outcome {
        case allowed, asked, refused, done
        /// The audit log itself was read.
        case read
        /// A command reached its final status.
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

    /// Adds the entry to those sealed and chained at the end of the transaction.
    static func append(_ entry: Entry, in context: AnonymousTransactionContext) throws {
        var note = UnsealedAuditEntry(
            at: context.now, kind: entry.who.kind, id: entry.who.id, action: entry.action, result: entry.result.name)
        note.deviceID = entry.deviceID
        note.entityID = entry.entityID
        note.grantID = entry.grantID
        note.means = entry.trigger?.rawValue
        note.reason = entry.reason
        note.commandID = entry.commandID
        note.journalSeq = entry.journalSeq
        note.remote = context.origin.remote
        note.requestID = context.origin.requestID
        try context.db.enqueue(note)
    }

    static func append(_ entry: Entry, in context: TransactionContext) throws {
        try append(entry, in: context.anonymous)
    }
}
