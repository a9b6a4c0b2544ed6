import CardeaMind
import CardeaModel
import Foundation
import GRDB

/// What other senses perceive, handed on as it is, with something that happens before or after.
public struct ForwardingSenses: Senses {
    private let senses: any Senses
    private let beforeHouse: @Sendable () async throws -> Void
    private let afterHappenings: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - beforeHouse: is done before each look at the whole house. Where it throws, the house is not shown.
    ///   - afterHappenings: is done when what happened has been read outside a transaction, before it is handed on.
    public init(
        _ senses: any Senses, beforeHouse: @escaping @Sendable () async throws -> Void = {},
        afterHappenings: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.senses = senses
        self.beforeHouse = beforeHouse
        self.afterHappenings = afterHappenings
    }

    public func house() async throws -> HousePicture {
        try await beforeHouse()
        return try await senses.house()
    }

    public func happenings(after place: SensesPlace, limit: Int) async throws -> Perception {
        let perceived = try await senses.happenings(after: place, limit: limit)
        try await afterHappenings()
        return perceived
    }

    public func happenings(after place: SensesPlace, limit: Int, in db: Database) throws -> Perception {
        try senses.happenings(after: place, limit: limit, in: db)
    }

    public func erasures(in db: Database) throws -> String? { try senses.erasures(in: db) }

    public func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading] {
        try await senses.hours(of: entityID, from: from, to: to)
    }

    public func changes() -> AsyncStream<Void> { senses.changes() }
}
