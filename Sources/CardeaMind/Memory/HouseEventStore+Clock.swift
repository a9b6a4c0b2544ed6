import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension HouseEventStore {
    /// False while the clock is behind a time known to be past, or was found to have leapt ahead.
    public func isClockReliable() async throws -> Bool {
        let moment = now()
        return try await store.read { db in
            guard let mark = try ClockRecords.mark(db) else { return true }
            return switch mark.status(at: moment) {
            case .trusted: true
            case .behind: false
            case .ahead: mark.jumpedAt == nil
            }
        }
    }
}
