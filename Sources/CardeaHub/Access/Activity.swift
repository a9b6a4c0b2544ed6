import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// What was tried in the house, newest first: a reading of the audit trail.
public struct Activity: Sendable {
    let store: Store

    public struct Entry: Hashable, Sendable {
        public let id: Int
        public let at: Date
        public let whoKind: String
        public let whoID: String?
        public let whoName: String?
        public let action: String
        public let deviceID: String?
        public let deviceName: String?
        public let entityID: String?
        public let result: String
        public let reason: String?
        public let commandID: String?
        public let remote: String?
    }

    public struct Filter: Hashable, Sendable {
        public var guestID: String?
        public var deviceID: String?
        public var result: String?
        /// Only entries older than this one.
        public var before: Int?
        /// 1 to 500.
        public var limit: Int

        public init(guestID: String? = nil, deviceID: String? = nil, result: String? = nil, before: Int? = nil, limit: Int = 50) {
            self.guestID = guestID
            self.deviceID = deviceID
            self.result = result
            self.before = before
            self.limit = min(max(limit, 1), 500)
        }
    }

    /// Whoever runs the house sees everything that was tried; a member sees what they did themselves.
    public func entries(_ filter: Filter, seenBy principal: Principal) async throws -> [Entry] {
        try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            let onlyOf = person.rights.contains(.managePeople) ? nil : person.id
            return try Self.entries(filter, onlyOf: onlyOf, in: db)
        }
    }

    /// A command that has ended is told by its end alone.
    static func entries(_ filter: Filter, onlyOf person: String? = nil, in db: Database) throws -> [Entry] {
        var conditions: [SQL] = []
        if let guest = filter.guestID {
            conditions.append(
                """
                a.id IN (SELECT id FROM audit WHERE who_kind = 'guest' AND who_id = \(guest)
                    UNION ALL SELECT id FROM audit WHERE grant_id = \(guest))
                """)
        }
        if let person { conditions.append("a.who_kind = 'person' AND a.who_id = \(person)") }
        if let device = filter.deviceID { conditions.append("a.device_id = \(device)") }
        if let result = filter.result { conditions.append("a.result = \(result)") }
        if let before = filter.before { conditions.append("a.id < \(before)") }
        conditions.append(
            """
            NOT (a.result IN ('allowed', 'asked')
                AND EXISTS (SELECT 1 FROM audit later WHERE later.command_id = a.command_id AND later.id > a.id))
            """)
        let query: SQL = """
            SELECT a.*, coalesce(p.name, g.name) AS who_name, d.name AS device_name
            FROM audit a
            LEFT JOIN people p ON a.who_kind = 'person' AND p.id = a.who_id
            LEFT JOIN guests g ON a.who_kind = 'guest' AND g.id = a.who_id
            LEFT JOIN devices d ON d.id = a.device_id
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY a.id DESC LIMIT \(filter.limit)
            """
        return try SQLRequest<Row>(literal: query).fetchAll(db).map { row in
            Entry(
                id: row["id"], at: Date(milliseconds: row["at"]), whoKind: row["who_kind"], whoID: row["who_id"], whoName: row["who_name"],
                action: row["action"], deviceID: row["device_id"], deviceName: row["device_name"], entityID: row["entity_id"],
                result: row["result"], reason: row["reason"], commandID: row["command_id"], remote: row["remote"])
        }
    }
}
