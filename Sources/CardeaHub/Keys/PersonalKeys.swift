import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The keys under which personal data is sealed: one for each purpose, all derived from the house's own.
struct PersonalKeys: Sendable {
    private let byTable: [String: SealingKey]
    private let markKey: SealingKey

    init(_ house: SealingKey) {
        let personal = DataInventory.policies.filter { !$0.sealedColumns.isEmpty }
        let byPurpose = Dictionary(personal.map { ($0.purpose, house.derived(for: $0.purpose.rawValue)) }) { first, _ in first }
        byTable = personal.reduce(into: [:]) { $0[$1.table] = byPurpose[$1.purpose] }
        markKey = house.derived(for: "words")
    }

    private struct UnknownTableError: Error { let table: String }

    func of(_ table: some StringProtocol) throws -> SealingKey {
        guard let key = byTable[String(table)] else { throw UnknownTableError(table: String(table)) }
        return key
    }

    /// As the store has them used.
    var seal: ColumnSeal {
        ColumnSeal(
            seal: { [self] in try of($1.prefix { $0 != "/" }).seal($0, for: $1) },
            open: { [self] in try of($1.prefix { $0 != "/" }).open($0, for: $1) }, mark: { [self] in markKey.mark($0) })
    }
}
