import CardeaModel
import CardeaStore
import GRDB

/// What the house keeps of one person, as they see it: by what it is for, with how many rows there are and until when they stay.
public struct PersonalView: Sendable {
    let store: Store
    let retention: Retention

    public struct Part: Sendable {
        public let purpose: Holding.Purpose
        public let kept: [String]
        public let count: Int
    }

    public func parts(of principal: Principal) async throws -> [Part] {
        try await store.read { [retention] db in
            guard case .person(let id, _) = principal, try People.person(id, db) != nil else {
                throw People.Problem.forbidden(.roleLacksRight)
            }
            let rules = Dictionary(try RetentionRecords.all(most: retention.most, db).map { ($0.kind, $0.days) }) { $1 }
            return try Holding.Purpose.allCases.compactMap { purpose in
                let holdings = Exports.holdings.filter { holding in
                    // What only names somebody in passing would have to be read from end to end.
                    if case .mentioned = holding.whose { return false }
                    return holding.purpose == purpose
                }
                var (count, kept): (Int, [String]) = (0, [])
                for holding in holdings {
                    guard let condition = holding.condition else { continue }
                    let rows =
                        try Int.fetchOne(
                            db, sql: "SELECT count(*) FROM \(holding.table) WHERE \(condition)", arguments: ["id": id]) ?? 0
                    guard rows > 0 else { continue }
                    count += rows
                    let words = holding.kept.words { rules[$0] ?? $0.mostDays }
                    if !kept.contains(words) { kept.append(words) }
                }
                return count == 0 ? nil : Part(purpose: purpose, kept: kept, count: count)
            }
        }
    }
}
