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
    /// The object of a write or a read.
    enum AuditSubject: Sendable {
        case house
        case person(String)
        case guest(String)
        case device(String)
        case command(String)
    }

    /// Writes a change for `principal`. A refusal is recorded in the audit log when this throws, although the write itself is rolled back.
    /// A write that lets another person open more than before requires a step-up.
    func auditedWrite<Value: Sendable>(
        _ action: String, on subject: AuditSubject = .house, by principal: Principal, origin: RequestOrigin, at now: Date,
        _ body: @escaping @Sendable (TransactionContext) throws -> Value, committed: (@Sendable (Value) -> Void)? = nil
    ) async throws -> Value {
        try await audited(action, on: subject, by: principal, origin: origin, at: now) {
            try await write(
                { db in
                    let context = TransactionContext(db: db, now: now, origin: origin, principal: principal)
                    return try Sessions.requiringStepUpForWiderAccess(for: principal, at: now, in: db) { _ in try body(context) }
                }, committed: committed)
        }
    }

    /// Runs `body` for `principal`. A refusal is recorded in the audit log when this throws.
    func audited<Value: Sendable>(
        _ action: String, on subject: AuditSubject = .house, by principal: Principal, origin: RequestOrigin, at now: Date,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let problem as any RefusalError {
            guard let reason = problem.refusalReason else { throw problem }
            try await write(from: origin, at: now) { context in
                var entry = try subject.entry(action, by: principal, context.db)
                entry.reason = reason
                try AuditLog.append(entry, in: context)
            }
            throw problem
        }
    }
}

extension Store.AuditSubject {
    /// An entry about a command names its door and its pass: under the command's own ID it would look like the command's outcome.
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
