import CardeaAPI
import Foundation

/// Guests as the house sees them: letting in, looking after, taking back.
public struct Guests: Sendable {
    let caller: AuthenticatedClient

    /// Creates a pass. Its code and link are in this answer and in no other.
    ///
    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func invite(_ body: InviteGuestBody, key: String? = nil) async throws(ClientError) -> GuestAnswer {
        try await caller.read(.write(.post, ["api", "v1", "guests"], body, key: key ?? caller.newIdempotencyKey))
    }

    public func list() async throws(ClientError) -> GuestsAnswer {
        try await caller.read(.get("api", "v1", "guests"))
    }

    /// One guest, with every try.
    public func get(_ id: String) async throws(ClientError) -> GuestAnswer {
        try await caller.read(.get("api", "v1", "guests", .id(id)))
    }

    /// A new code and link; the ones before are good no longer.
    public func newCode(_ id: String) async throws(ClientError) -> GuestCodeAnswer {
        try await caller.read(.write(.post, ["api", "v1", "guests", .id(id), "code"], key: caller.newIdempotencyKey))
    }

    /// A resident's decision about a pass.
    public enum Decision: String, Hashable, Sendable, CaseIterable {
        case approve, reject, suspend, resume, revoke
    }

    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func decide(_ decision: Decision, about id: String, key: String? = nil) async throws(ClientError) -> GuestAnswer {
        try await caller.read(
            .write(.post, ["api", "v1", "guests", .id(id), .fixed(decision.rawValue)], key: key ?? caller.newIdempotencyKey))
    }

    /// Answers a phone that requests a pass.
    ///
    /// - Parameter number: the four digits that the phone shows. An approval refuses the other requesting phones.
    public func answerPhone(phone number: String, of id: String, yes: Bool) async throws(ClientError) -> GuestAnswer {
        try await caller.read(
            .write(
                .post, ["api", "v1", "guests", .id(id), .fixed(yes ? "approve" : "reject")], AnswerPhoneBody(number: number),
                key: caller.newIdempotencyKey))
    }

    public func revokeAll() async throws(ClientError) -> RevokedAnswer {
        try await caller.read(.write(.post, ["api", "v1", "guests", "revoke-all"], key: caller.newIdempotencyKey))
    }
}
