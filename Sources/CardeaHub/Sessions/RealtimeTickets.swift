import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// Tickets for opening a realtime connection where a browser cannot send a header: valid for 30 seconds, and once.
///
/// Each holder has a limit of their own, so that one cannot use up the tickets of the others.
///
/// They live in memory only: after a restart a client asks for another.
public final class RealtimeTickets: Sendable {
    private let environment: HubEnvironment
    private let state = Mutex(State())

    public enum TicketError: Error {
        /// The house has as many out as it keeps; seconds until one of them is over.
        case tooMany(TimeInterval)
    }

    private struct Ticket {
        let credential: Credential
        /// The person and session, as one key.
        let holder: String
        let expiresAt: Date
    }

    private struct State {
        private(set) var byDigest: [Data: Ticket] = [:]
        /// By their holder, the oldest first.
        private(set) var byHolder: [String: [Data]] = [:]

        mutating func add(_ ticket: Ticket, _ digest: Data) {
            byDigest[digest] = ticket
            byHolder[ticket.holder, default: []].append(digest)
        }

        mutating func remove(_ digest: Data) -> Ticket? {
            guard let ticket = byDigest.removeValue(forKey: digest) else { return nil }
            let others = byHolder[ticket.holder]?.filter { $0 != digest }
            byHolder[ticket.holder] = others?.isEmpty == false ? others : nil
            return ticket
        }
    }

    /// Seconds.
    public static let lifetime: TimeInterval = 30
    static let limit = 4096
    /// Tickets of one person, pass or API token: the oldest is dropped for the next. More than the screens that anyone opens within 30
    /// seconds.
    static let limitPerHolder = 16

    init(environment: HubEnvironment) {
        self.environment = environment
    }

    public func issue(to credential: Credential) throws -> Secret {
        let ticket = SecretGenerator.token(.ticket)
        let now = environment.now()
        let holder = credential.principal.key
        let wait = state.withLock { state -> TimeInterval? in
            if let own = state.byHolder[holder], own.count >= Self.limitPerHolder, let oldest = own.first { _ = state.remove(oldest) }
            if state.byDigest.count >= Self.limit {
                for (digest, ticket) in state.byDigest where ticket.expiresAt <= now { _ = state.remove(digest) }
            }
            guard state.byDigest.count < Self.limit else {
                // After a clock was set back, the wait is still at most a ticket's lifetime.
                let wait = state.byDigest.values.reduce(Self.lifetime) { min($0, $1.expiresAt.timeIntervalSince(now)) }
                return wait
            }
            state.add(
                Ticket(credential: credential, holder: holder, expiresAt: now.addingTimeInterval(Self.lifetime)), ticket.digest)
            return nil
        }
        if let wait { throw TicketError.tooMany(wait) }
        return ticket
    }

    /// Redeems a ticket, once, and returns its credential; nil if it is unknown or expired.
    public func redeem(_ ticket: Secret) -> Credential? {
        let now = environment.now()
        return state.withLock { $0.remove(ticket.digest) }.flatMap { $0.expiresAt > now ? $0.credential : nil }
    }
}
