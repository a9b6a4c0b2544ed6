import CardeaModel
import Foundation
import GRDB

/// The mind's read access to the house. The mind declares it and does not know the hub; the composition provides the implementation.
public protocol HouseReader: Sendable {
    /// The whole house in its present state. For the mind alone, which filters it by `RequesterVisibility` before it shows anything.
    func house() async throws -> HouseSnapshot

    /// The events after a position, oldest first; for the mind alone.
    func events(after place: FeedPosition, limit: Int) async throws -> HouseEventBatch

    /// The same within a transaction of the house's store.
    func events(after place: FeedPosition, limit: Int, in db: Database) throws -> HouseEventBatch

    /// A marker that changes with every erasure of a person, and is nil during one. Events read before may still name that person, so
    /// they are read again in the transaction that stores them.
    func erasureMarker(in db: Database) throws -> String?

    /// A sensor's hourly readings, oldest first.
    func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading]

    /// Yields whenever there may be new events.
    func changes() -> AsyncStream<Void>
}
