import CardeaModel
import Foundation
import GRDB

/// All that the mind perceives of the house. It declares this and knows no hub: whoever puts the house together fills it.
public protocol HouseReader: Sendable {
    /// The whole house as it stands; for the mind alone, who shows it by `Sight`.
    func house() async throws -> HouseSnapshot

    /// What happened after a place, oldest first; for the mind alone.
    func events(after place: FeedPosition, limit: Int) async throws -> HouseEventBatch

    /// The same as it stands in a transaction of the house's store.
    func events(after place: FeedPosition, limit: Int, in db: Database) throws -> HouseEventBatch

    /// Another whenever somebody was erased, and nil while somebody is: what was perceived before may name them, and is perceived anew in
    /// the transaction in which it is remembered.
    func erasureMarker(in db: Database) throws -> String?

    /// A sensor's hours, oldest first.
    func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading]

    /// Rings whenever something may have happened.
    func changes() -> AsyncStream<Void>
}
