import CardeaMind
import CardeaModel
import Foundation
import GRDB

/// Forwards to another house reader and runs a closure before or after it.
public struct ForwardingHouseReader: HouseReader {
    private let base: any HouseReader
    private let beforeHouse: @Sendable () async throws -> Void
    private let afterHappenings: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - beforeHouse: runs before each read of the whole house. If it throws, the read fails.
    ///   - afterHappenings: runs when events have been read outside a transaction, before they are returned.
    public init(
        _ houseReader: any HouseReader, beforeHouse: @escaping @Sendable () async throws -> Void = {},
        afterHappenings: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.base = houseReader
        self.beforeHouse = beforeHouse
        self.afterHappenings = afterHappenings
    }

    public func house() async throws -> HouseSnapshot {
        try await beforeHouse()
        return try await base.house()
    }

    public func events(after place: FeedPosition, limit: Int) async throws -> HouseEventBatch {
        let perceived = try await base.events(after: place, limit: limit)
        try await afterHappenings()
        return perceived
    }

    public func events(after place: FeedPosition, limit: Int, in db: Database) throws -> HouseEventBatch {
        try base.events(after: place, limit: limit, in: db)
    }

    public func erasureMarker(in db: Database) throws -> String? { try base.erasureMarker(in: db) }

    public func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading] {
        try await base.hours(of: entityID, from: from, to: to)
    }

    public func changes() -> AsyncStream<Void> { base.changes() }
}
