import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension Remembering {
    /// False while the clock is behind a moment that has been, or was found to have leapt ahead.
    public func isClockSure() async throws -> Bool {
        let moment = now()
        return try await store.read { db in
            guard let mark = try ClockRecords.mark(db) else { return true }
            return switch mark.standing(at: moment) {
            case .sure: true
            case .behind: false
            case .ahead: mark.leaptAt == nil
            }
        }
    }
}
