import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// Somebody, and the token they showed, as its SHA-256; nil where none is asked for, as in the demo.
public struct Credential: Hashable, Sendable {
    public let principal: Principal
    public let token: Data?

    public init(_ principal: Principal, by token: Secret?) {
        self.principal = principal
        self.token = token?.digest
    }
}

/// Tickets for opening a realtime connection where a browser cannot send a header: good for 30 seconds, and once.
///
/// They live in memory alone: after a restart a client asks for another.
public final class Tickets: Sendable {
    private let surroundings: Surroundings
    private let open = Mutex<[Data: (credential: Credential, expiresAt: Date)]>([:])

    /// Seconds.
    public static let lasts: TimeInterval = 30
    static let limit = 4096

    init(surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    public func issue(to credential: Credential) -> Secret {
        let ticket = Minting.token(.ticket)
        let now = surroundings.now()
        open.withLock { open in
            if open.count >= Self.limit { open = open.filter { $0.value.expiresAt > now } }
            if open.count < Self.limit { open[ticket.digest] = (credential, now.addingTimeInterval(Self.lasts)) }
        }
        return ticket
    }

    /// Who the ticket was given to; nil when it is not good, or not any more.
    public func redeem(_ ticket: Secret) -> Credential? {
        let now = surroundings.now()
        return open.withLock { $0.removeValue(forKey: ticket.digest) }.flatMap { $0.expiresAt > now ? $0.credential : nil }
    }
}
