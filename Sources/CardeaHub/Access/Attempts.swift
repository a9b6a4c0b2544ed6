import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// An error that says no to whoever asked, and by which reason; nil where something else was wrong.
protocol Refused: Error {
    var refusedBecause: AuditReason? { get }
}

extension People.Problem: Refused {
    var refusedBecause: AuditReason? {
        switch self {
        case .forbidden(let refusal): refusal.auditReason
        case .forbiddenToProgram: Refusal.noGrant.auditReason
        default: nil
        }
    }
}

extension Guests.Problem: Refused {
    var refusedBecause: AuditReason? { if case .forbidden(let refusal) = self { refusal.auditReason } else { nil } }
}

extension Commands.ApprovalProblem: Refused {
    var refusedBecause: AuditReason? {
        switch self {
        case .forbidden(let refusal): refusal.auditReason
        case .notChosen: Refusal.roleLacksRight.auditReason
        case .notFound, .notAsking: nil
        }
    }
}

extension APITokens.Problem: Refused {
    var refusedBecause: AuditReason? { if case .forbidden(let refusal) = self { refusal.auditReason } else { nil } }
}

extension GuestAccess.Problem: Refused {
    var refusedBecause: AuditReason? { if case .pass(let refusal) = self { refusal.auditReason } else { nil } }
}

extension Scenes.Problem: Refused {
    var refusedBecause: AuditReason? { if case .action(_, .gate(let refusal)) = self { refusal.auditReason } else { nil } }
}

extension Sessions.Problem: Refused {
    var refusedBecause: AuditReason? {
        switch self {
        case .stepUpRequired, .stepUpToOpen: .stepUpRequired
        default: nil
        }
    }
}

extension Store {
    /// What somebody wants to change, or to look at.
    enum Subject: Sendable {
        case house
        case person(String)
        case guest(String)
        case device(String)
        case command(String)
    }

    /// Writes what `principal` wants changed. That they may not is a fact too: it is in the audit trail when this throws, although
    /// the write itself is undone. A write that lets somebody else open more than before asks for a step-up.
    func attempt<Value: Sendable>(
        _ action: String, on subject: Subject = .house, by principal: Principal, origin: Origin, at now: Date,
        _ body: @escaping @Sendable (Database) throws -> Value, committed: (@Sendable (Value) -> Void)? = nil
    ) async throws -> Value {
        try await onRecord(action, on: subject, by: principal, origin: origin, at: now) {
            try await write(
                { db in
                    try Sessions.watchingDoors(for: principal, at: now, in: db) { try body($0) }
                }, committed: committed)
        }
    }

    /// Does what `principal` asks for, whatever it is. Where they may not, the refusal is in the audit trail when this throws.
    func onRecord<Value: Sendable>(
        _ action: String, on subject: Subject = .house, by principal: Principal, origin: Origin, at now: Date,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let problem as any Refused {
            guard let reason = problem.refusedBecause else { throw problem }
            try await write { db in
                var entry = try subject.entry(action, by: principal, db)
                entry.reason = reason
                try AuditTrail.append(entry, origin: origin, at: now, in: db)
            }
            throw problem
        }
    }
}

extension Store.Subject {
    /// A command is told of by its door and its pass: under its own name it would pass for the command's outcome.
    fileprivate func entry(_ action: String, by principal: Principal, _ db: Database) throws -> AuditTrail.Entry {
        var entry = AuditTrail.Entry(who: .init(principal), action: action, grantID: principal.grantID, result: .refused)
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
