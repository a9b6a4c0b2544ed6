import CardeaModel
import CardeaStore
import GRDB

/// An overview of the data that the house keeps about one person, for that person: by purpose, with counts and retention.
public struct PersonalDataOverview: Sendable {
    let store: Store
    let retention: Retention
    let keys: AuditKeys
    let personalDataProviders: PersonalDataProviders

    public struct Part: Sendable {
        public let purpose: TableRetentionPolicy.Purpose
        public let retentionTexts: [String]
        /// Nil if all that happened would have to be read to know.
        public let count: Int?
    }

    public func parts(of principal: Principal) async throws -> [Part] {
        guard case .person(let id, _) = principal else { throw People.PersonError.forbidden(.roleLacksRight) }
        let learned = try await personalDataProviders.personalData(of: "person:\(id)").count
        return try await store.read { [retention, keys] db in
            guard try PeopleRecords.one(id, db) != nil else { throw People.PersonError.forbidden(.roleLacksRight) }
            let rules = Dictionary(try RetentionRecords.all(most: retention.maxDays, db).map { ($0.kind, $0.days) }) { $1 }
            return try TableRetentionPolicy.Purpose.allCases.compactMap { purpose in
                var (count, kept): (Int?, [String]) = (0, [])
                func add(_ number: Int?, _ until: TableRetentionPolicy.RetentionRule) {
                    guard number != 0 else { return }
                    count = count.flatMap { sum in number.map { sum + $0 } }
                    let words = until.text { rules[$0] ?? $0.defaultDays }
                    if !kept.contains(words) { kept.append(words) }
                }
                for holding in DataInventory.policies where holding.purpose == purpose {
                    add(try Self.count(of: id, in: holding, keys, db), holding.retention)
                }
                if purpose == .mind { add(learned, .managedByOwner([.memories])) }
                return kept.isEmpty ? nil : Part(purpose: purpose, retentionTexts: kept, count: count)
            }
        }
    }

    /// Returns the number of rows about a person; nil for a table that only mentions people.
    private static func count(of id: String, in holding: TableRetentionPolicy, _ keys: AuditKeys, _ db: Database) throws -> Int? {
        switch holding.ownership {
        case .household: return 0
        case .mentioned: return nil
        case .sealed:
            // The subject of an entry is known by the key it is sealed with. All other values sealed so are part of an entry.
            guard holding.table == "audit" else { return 0 }
            let theirs = AuditIndex.concerns(try keys.ids(of: "person:\(id)", in: db))
            return try SQLRequest<Int>(literal: AuditIndex(db).count(where: theirs)).fetchOne(db) ?? 0
        case .person, .personKey, .principal, .guesser, .row:
            guard PersonalDataExporter.holdings.contains(where: { $0.table == holding.table }), let condition = holding.condition else {
                return 0
            }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM \(holding.table) WHERE \(condition)", arguments: ["id": id]) ?? 0
        }
    }
}
