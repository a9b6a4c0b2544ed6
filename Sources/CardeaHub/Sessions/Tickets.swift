import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// Tickets for opening a realtime connection where a browser cannot send a header: good for 30 seconds, and once.
///
/// They live in memory alone: after a restart a client asks for another.
public final class Tickets: Sendable {
    private let surroundings: Surroundings
    private let open = Mutex<[Data: (principal: Principal, expiresAt: Date)]>([:])

    /// Seconds.
    public static let lasts: TimeInterval = 30
    static let limit = 4096

    init(surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    public func issue(to principal: Principal) -> Secret {
        let ticket = Minting.token(.ticket)
        let now = surroundings.now()
        open.withLock { open in
            if open.count >= Self.limit { open = open.filter { $0.value.expiresAt > now } }
            if open.count < Self.limit { open[ticket.digest] = (principal, now.addingTimeInterval(Self.lasts)) }
        }
        return ticket
    }

    /// Who the ticket was given to; nil when it is not good, or not any more.
    public func redeem(_ ticket: Secret) -> Principal? {
        let now = surroundings.now()
        return open.withLock { $0.removeValue(forKey: ticket.digest) }.flatMap { $0.expiresAt > now ? $0.principal : nil }
    }
}
