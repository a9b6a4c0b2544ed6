import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// For how long the house keeps what it keeps. The owner may have it keep less; nobody can have it keep more.
public struct Retention: Sendable {
    let store: Store
    /// Days after which an event is forgotten, as the house was set up.
    let eventDays: Int
    let environment: HubEnvironment

    public typealias Rule = RetentionRecords.RetentionStatus

    public enum RetentionError: Error {
        case unknownKind(String)
        /// Not between one day and what the house keeps at most.
        case days(kind: RetentionKind, most: Int)
    }

    /// Every kind, for how long it is kept, and when it was last seen to. Whoever lives here may know.
    public func rules(seenBy principal: Principal) async throws -> [Rule] {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try RetentionRecords.all(most: maxDays, db)
        }
    }

    /// Keeps some kinds for fewer days, or for as many again as is usual. What is too old then goes within a day, and does not come back.
    public func setDays(_ days: [String: Int], by principal: Principal, origin: RequestOrigin) async throws -> [Rule] {
        var chosen: [RetentionKind: Int] = [:]
        for (name, days) in days {
            guard let kind = RetentionKind(rawValue: name) else { throw RetentionError.unknownKind(name) }
            guard (1...maxDays(kind)).contains(days) else { throw RetentionError.days(kind: kind, most: maxDays(kind)) }
            chosen[kind] = days
        }
        let now = environment.now()
        return try await store.auditedWrite("retention.change", by: principal, origin: origin, at: now) { [chosen] db in
            // Only an owner purges.
            try People.requireManaging(.owner, by: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            let changed = try chosen.filter { try RetentionRecords.days($0, most: maxDays($0), in: db) != $1 }
            guard !changed.isEmpty else { return try RetentionRecords.all(most: maxDays, db) }
            for (kind, days) in changed { try RetentionRecords.setDays(days, of: kind, in: db) }
            let seq = try Journal.append(.houseChanged, data: ["retention": true], at: now, in: db)
            for (kind, days) in changed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                try AuditLog.append(
                    .init(
                        who: .init(principal), action: "retention.change", entityID: "retention:\(kind.rawValue):\(days)",
                        result: .done, journalSeq: seq),
                    origin: origin, at: now, in: db)
            }
            return try RetentionRecords.all(most: maxDays, db)
        }
    }

    func maxDays(_ kind: RetentionKind) -> Int { kind == .events ? eventDays : kind.defaultDays }
}
