import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The retention of the house's data. The owner can shorten it, never extend it.
public struct Retention: Sendable {
    let store: Store
    /// Days after which an event is deleted, by the house's settings.
    let eventDays: Int
    let environment: HubEnvironment

    public typealias Rule = RetentionRecords.RetentionStatus

    public enum RetentionError: Error {
        case unknownKind(String)
        /// Not between one day and the house's maximum.
        case days(kind: RetentionKind, most: Int)
    }

    /// Returns every kind of data with its retention and its last sweep. Every resident may see it.
    public func rules(seenBy principal: Principal) async throws -> [Rule] {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try RetentionRecords.all(most: maxDays, db)
        }
    }

    /// Shortens the retention of some kinds, or resets it to the default. Older data is then deleted within a day, and does not come back.
    public func setDays(_ days: [String: Int], by principal: Principal, origin: RequestOrigin) async throws -> [Rule] {
        var chosen: [RetentionKind: Int] = [:]
        for (name, days) in days {
            guard let kind = RetentionKind(rawValue: name) else { throw RetentionError.unknownKind(name) }
            guard (1...maxDays(kind)).contains(days) else { throw RetentionError.days(kind: kind, most: maxDays(kind)) }
            chosen[kind] = days
        }
        let now = environment.now()
        return try await store.auditedWrite("retention.change", by: principal, origin: origin, at: now) { [chosen] context in
            // Only an owner purges.
            try People.requireManaging(.owner, by: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            let changed = try chosen.filter { try RetentionRecords.days($0, most: maxDays($0), in: context.db) != $1 }
            guard !changed.isEmpty else { return try RetentionRecords.all(most: maxDays, context.db) }
            for (kind, days) in changed { try RetentionRecords.setDays(days, of: kind, in: context.db) }
            let seq = try Journal.append(.houseChanged, data: ["retention": true], at: now, in: context.db)
            for (kind, days) in changed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                try AuditLog.append(
                    .init(
                        who: .init(principal), action: "retention.change", entityID: "retention:\(kind.rawValue):\(days)",
                        result: .done, journalSeq: seq), in: context)
            }
            return try RetentionRecords.all(most: maxDays, context.db)
        }
    }

    func maxDays(_ kind: RetentionKind) -> Int { kind == .events ? eventDays : kind.defaultDays }
}
