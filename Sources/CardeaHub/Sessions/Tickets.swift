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
/// Each has room for a few at a time, so that nobody's asking takes them from the others.
///
/// They live in memory alone: after a restart a client asks for another.
public final class Tickets: Sendable {
    private let surroundings: Surroundings
    private let state = Mutex(State())

    public enum Problem: Error {
        /// The house has as many out as it keeps; seconds until one of them is over.
        case tooMany(TimeInterval)
    }

    private struct Ticket {
        let credential: Credential
        /// Whoever it is, in whichever session.
        let holder: String
        let expiresAt: Date
    }

    private struct State {
        private(set) var open: [Data: Ticket] = [:]
        /// By their holder, the oldest first.
        private(set) var held: [String: [Data]] = [:]

        mutating func add(_ ticket: Ticket, _ digest: Data) {
            open[digest] = ticket
            held[ticket.holder, default: []].append(digest)
        }

        mutating func take(_ digest: Data) -> Ticket? {
            guard let ticket = open.removeValue(forKey: digest) else { return nil }
            let others = held[ticket.holder]?.filter { $0 != digest }
            held[ticket.holder] = others?.isEmpty == false ? others : nil
            return ticket
        }
    }

    /// Seconds.
    public static let lasts: TimeInterval = 30
    static let limit = 4096
    /// Of one person, pass or program: the oldest makes room for the next. More than anybody has screens that open within 30 seconds.
    static let limitOfEach = 16

    init(surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    public func issue(to credential: Credential) throws -> Secret {
        let ticket = Minting.token(.ticket)
        let now = surroundings.now()
        let holder = credential.principal.key
        let wait = state.withLock { state -> TimeInterval? in
            if let own = state.held[holder], own.count >= Self.limitOfEach, let oldest = own.first { _ = state.take(oldest) }
            if state.open.count >= Self.limit {
                for (digest, ticket) in state.open where ticket.expiresAt <= now { _ = state.take(digest) }
            }
            guard state.open.count < Self.limit else {
                // A clock that was set back makes nobody wait for longer than a ticket lasts.
                let wait = state.open.values.reduce(Self.lasts) { min($0, $1.expiresAt.timeIntervalSince(now)) }
                return wait
            }
            state.add(
                Ticket(credential: credential, holder: holder, expiresAt: now.addingTimeInterval(Self.lasts)), ticket.digest)
            return nil
        }
        if let wait { throw Problem.tooMany(wait) }
        return ticket
    }

    /// Who the ticket was given to; nil when it is not good, or not any more.
    public func redeem(_ ticket: Secret) -> Credential? {
        let now = surroundings.now()
        return state.withLock { $0.take(ticket.digest) }.flatMap { $0.expiresAt > now ? $0.credential : nil }
    }
}
