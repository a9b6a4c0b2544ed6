import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// An error that says no to whoever asked, by the gate's own reasons; nil where something else was wrong.
protocol Refused: Error {
    var refusal: Refusal? { get }
}

extension People.Problem: Refused {
    var refusal: Refusal? { if case .forbidden(let refusal) = self { refusal } else { nil } }
}

extension Guests.Problem: Refused {
    var refusal: Refusal? { if case .forbidden(let refusal) = self { refusal } else { nil } }
}

extension Commands.ApprovalProblem: Refused {
    var refusal: Refusal? { if case .forbidden(let refusal) = self { refusal } else { nil } }
}

extension Store {
    /// What a write by somebody of the house is about.
    enum Subject: Sendable {
        case house
        case person(String)
        case guest(String)
        case device(String)
        case command(String)
    }

    /// Writes what `principal` wants changed. That they may not is a fact too: it is in the audit trail when this throws, although
    /// the write itself is undone.
    func attempt<Value: Sendable>(
        _ action: String, on subject: Subject = .house, by principal: Principal, origin: Origin, at now: Date,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await write(body)
        } catch let problem as any Refused {
            guard let refusal = problem.refusal else { throw problem }
            try await write { db in
                var entry = try subject.entry(action, by: principal, db)
                entry.reason = refusal.name
                try AuditTrail.append(entry, origin: origin, at: now, in: db)
            }
            throw problem
        }
    }
}

extension Store.Subject {
    /// A command is told of by its door and its pass: under its own name it would pass for the command's outcome.
    fileprivate func entry(_ action: String, by principal: Principal, _ db: Database) throws -> AuditTrail.Entry {
        var entry = AuditTrail.Entry(who: .init(principal), action: action, result: .refused)
        switch self {
        case .house: break
        case .person(let id): entry.grantID = "role:" + id.prefix(128)
        case .guest(let id): entry.grantID = String(id.prefix(128))
        case .device(let id): entry.deviceID = String(id.prefix(128))
        case .command(let id):
            let command = try CommandRecords.one(id, db)
            entry.deviceID = command?.deviceID
            entry.entityID = command?.entityID
            entry.grantID = command?.grantID
        }
        return entry
    }
}
