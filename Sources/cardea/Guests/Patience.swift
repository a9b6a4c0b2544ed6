import CardeaClient
import Foundation

/// Waiting for somebody's yes: asks again as the house says, the same wish each time, until it answers or nobody did.
struct Patience {
    let waits: Bool
    let sitting: Sitting

    func wait<Answer>(_ ask: () async throws -> Approvable<Answer>) async throws -> Answer {
        // However the house may answer, one does not stand before a door for an hour.
        let limit = Date().addingTimeInterval(3600)
        while true {
            switch try await ask() {
            case .granted(let answer): return answer
            case .waiting(let pending):
                let end = pending.expiresAt.map { min(limit, Date(timeIntervalSince1970: TimeInterval($0))) } ?? limit
                guard waits, Date() < end else { throw Self.unanswered(pending, waited: waits) }
                let left = HouseClock(zone: .current, now: Date()).remaining(until: end)
                sitting.output.progress("Someone in the house has to say yes. Waiting, \(left) left.")
                try await Task.sleep(for: .seconds(min(max(1, pending.retryAfter ?? 3), 30)))
            }
        }
    }

    private static func unanswered(_ pending: PendingApproval, waited: Bool) -> Failure {
        Failure(
            status: .tryLater, code: "pending_approval",
            message: waited ? "Nobody answered. Ring, or ask again." : "Someone in the house has to say yes first. Ask again in a moment.",
            retryAfter: pending.retryAfter.map { .seconds($0) })
    }
}
