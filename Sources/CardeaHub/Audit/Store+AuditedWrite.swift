import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension People.PersonError: RefusalError {
    var refusalReason: AuditReason? {
        switch self {
        case .forbidden(let refusal): refusal.auditReason
        case .forbiddenToProgram: Refusal.noGrant.auditReason
        default: nil
        }
    }
}

extension Guests.GuestError: RefusalError {
    var refusalReason: AuditReason? { if case .forbidden(let refusal) = self { refusal.auditReason } else { nil } }
}

extension Commands.ApprovalError: RefusalError {
    var refusalReason: AuditReason? {
        switch self {
        case .forbidden(let refusal): refusal.auditReason
        case .notAnApprover: Refusal.roleLacksRight.auditReason
        case .notFound, .notAwaitingApproval: nil
        }
    }
}

extension APITokens.APITokenError: RefusalError {
    var refusalReason: AuditReason? { if case .forbidden(let refusal) = self { refusal.auditReason } else { nil } }
}

extension GuestAccess.GuestAccessError: RefusalError {
    var refusalReason: AuditReason? { if case .pass(let refusal) = self { refusal.auditReason } else { nil } }
}

extension Scenes.SceneError: RefusalError {
    var refusalReason: AuditReason? { if case .action(_, .gate(let refusal)) = self { refusal.auditReason } else { nil } }
}

extension Sessions.SessionError: RefusalError {
    var refusalReason: AuditReason? {
        switch self {
        case .stepUpRequired, .stepUpToOpen: .stepUpRequired
        default: nil
        }
    }
}

extension Store {
    /// What somebody wants to change, or to look at.
    enum AuditSubject: Sendable {
        case house
        case person(String)
        case guest(String)
        case device(String)
        case command(String)
    }

    /// Writes what `principal` wants changed. That they may not is a fact too: it is in the audit trail when this throws, although
    /// the write itself is undone. A write that lets somebody else open more than before asks for a step-up.
    func auditedWrite<Value: Sendable>(
        _ action: String, on subject: AuditSubject = .house, by principal: Principal, origin: RequestOrigin, at now: Date,
        _ body: @escaping @Sendable (Database) throws -> Value, committed: (@Sendable (Value) -> Void)? = nil
    ) async throws -> Value {
        try await audited(action, on: subject, by: principal, origin: origin, at: now) {
            try await write(
                { db in
                    try Sessions.requiringStepUpForWiderAccess(for: principal, at: now, in: db) { try body($0) }
                }, committed: committed)
        }
    }

    /// Does what `principal` asks for, whatever it is. Where they may not, the refusal is in the audit trail when this throws.
    func audited<Value: Sendable>(
        _ action: String, on subject: AuditSubject = .house, by principal: Principal, origin: RequestOrigin, at now: Date,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let problem as any RefusalError {
            guard let reason = problem.refusalReason else { throw problem }
            try await write { db in
                var entry = try subject.entry(action, by: principal, db)
                entry.reason = reason
                try AuditLog.append(entry, origin: origin, at: now, in: db)
            }
            throw problem
        }
    }
}

extension Store.AuditSubject {
    /// A command is told of by its door and its pass: under its own name it would pass for the command's outcome.
    fileprivate func entry(_ action: String, by principal: Principal, _ db: Database) throws -> AuditLog.Entry {
        var entry = AuditLog.Entry(who: .init(principal), action: action, grantID: principal.grantID, result: .refused)
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
