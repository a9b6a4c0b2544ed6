import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Personal data of erased people that copies of the house still hold.
extension BackupRegistry {
    /// The erased people by ID, with the time of erasure in milliseconds.
    public func erased() async throws -> [String: Int64] {
        try await store.read { db in
            Dictionary(try Row.fetchAll(db, sql: "SELECT person_id, at FROM erasures").map { ($0[0], $0[1]) }) { $1 }
        }
    }

    /// The key that seals the list of erasures beside the backups.
    public func erasureKey() throws -> SealingKey { try Self.erasureKey(of: sealing) }

    /// Derived from the part of the house's key that stays the same when it is exchanged, so that a backup from before that opens the list,
    /// too.
    public static func erasureKey(of sealing: SealingKey) throws -> SealingKey {
        try SealingKey(bytes: sealing.derived(for: "erasures").mark(Data("list".utf8)))
    }

    /// A house that was replaced by one restored from a backup. No later change reaches it.
    public struct ReplacedHouse: Hashable, Sendable {
        /// The name of its folder, without the path: callers over the network must not learn where it is.
        public let name: String
        /// When it is deleted.
        public let until: Date

        public init(name: String, until: Date) {
            self.name = name
            self.until = until
        }
    }

    /// Copies of the house that an erasure does not reach.
    public struct RetainedCopies: Hashable, Sendable {
        /// True if the house makes backups by itself.
        public let isAutomatic: Bool
        public let replacedHouses: [ReplacedHouse]
        /// The time up to which the list of erasures beside the backups is complete; nil if there is no list yet.
        let listedAt: Date?

        /// Returns whether the list contains everyone erased until this moment.
        public func isListed(until moment: Date) -> Bool { listedAt.map { $0.milliseconds >= moment.milliseconds } ?? false }

        /// The time until which the house's own backups from before this moment are kept.
        public static func expiry(ofMadeBefore moment: Date) -> Date { moment.addingTimeInterval(Double(BackupPlan.maxDays) * 86_400) }
    }

    /// Sets the function that lists the replaced houses beside this one.
    public func update(former: @escaping @Sendable () -> [ReplacedHouse]) { runtime.replacedHouses.withLock { $0 = former } }

    /// Records the time up to which the list of erasures has been written.
    public func update(listedAt moment: Date) { runtime.listedAt.withLock { $0 = moment } }

    public var retainedCopies: RetainedCopies {
        RetainedCopies(
            isAutomatic: runtime.configuration.withLock { $0 } != nil, replacedHouses: runtime.replacedHouses.withLock { $0 }?() ?? [],
            listedAt: runtime.listedAt.withLock { $0 })
    }
}
