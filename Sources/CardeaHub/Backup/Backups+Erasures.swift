import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// What copies of the house still know of whoever was erased.
extension Backups {
    /// Who was erased, by id, and when in milliseconds.
    public func erased() async throws -> [String: Int64] {
        try await store.read { db in
            Dictionary(try Row.fetchAll(db, sql: "SELECT person_id, at FROM erasures").map { ($0[0], $0[1]) }) { $1 }
        }
    }

    /// What seals the list of erasures that lies beside the backups.
    public func erasureKey() throws -> SealingKey { try Self.erasureKey(of: sealing) }

    /// It is made of what the house's key keeps when it is exchanged, so that a backup from before that opens the list, too.
    public static func erasureKey(of sealing: SealingKey) throws -> SealingKey {
        try SealingKey(bytes: sealing.derived(for: "erasures").mark(Data("list".utf8)))
    }

    /// A house that one from a backup has taken the place of: nothing that is done now reaches it.
    public struct ReplacedHouse: Hashable, Sendable {
        /// What its folder is called; where it lies is nobody's business who asks over the network.
        public let name: String
        /// When it is taken away.
        public let until: Date

        public init(name: String, until: Date) {
            self.name = name
            self.until = until
        }
    }

    /// Copies of the house that an erasure does not reach.
    public struct RetainedCopies: Hashable, Sendable {
        /// Whether the house makes backups by itself.
        public let isAutomatic: Bool
        public let replacedHouses: [ReplacedHouse]
        /// As of when the list of erasures beside the backups is; nil where there is none yet.
        let listedAt: Date?

        /// Whether the list names whoever was erased until this moment.
        public func isListed(until moment: Date) -> Bool { listedAt.map { $0.milliseconds >= moment.milliseconds } ?? false }

        /// Until when the house's own backups are kept that were made before this moment.
        public static func expiry(ofMadeBefore moment: Date) -> Date { moment.addingTimeInterval(Double(BackupPlan.maxDays) * 86_400) }
    }

    /// From now on `former` says which houses lie beside this one.
    public func update(former: @escaping @Sendable () -> [ReplacedHouse]) { runtime.replacedHouses.withLock { $0 = former } }

    /// The list of erasures has been written, as of then.
    public func update(listedAt moment: Date) { runtime.listedAt.withLock { $0 = moment } }

    public var retainedCopies: RetainedCopies {
        RetainedCopies(
            isAutomatic: runtime.configuration.withLock { $0 } != nil, replacedHouses: runtime.replacedHouses.withLock { $0 }?() ?? [],
            listedAt: runtime.listedAt.withLock { $0 })
    }
}
