import CardeaAPI
import CardeaSecurity
import Foundation

/// Those who live here.
public struct People: Sendable {
    let caller: AuthenticatedClient

    public func me() async throws(ClientError) -> PersonAnswer {
        try await caller.read(.get("api", "v1", "people", "me"))
    }

    public func list() async throws(ClientError) -> PeopleAnswer {
        try await caller.read(.get("api", "v1", "people"))
    }

    public func invite(name: String, role: String) async throws(ClientError) -> PersonInvitationAnswer {
        try await caller.read(
            .write(.post, ["api", "v1", "people"], InvitePersonBody(name: name, role: role), key: caller.newIdempotencyKey))
    }

    /// A new link for one who has not joined yet.
    public func newInvitation(_ id: String) async throws(ClientError) -> PersonInvitationAnswer {
        try await caller.read(.write(.post, ["api", "v1", "people", .id(id), "invite"], key: caller.newIdempotencyKey))
    }

    /// Changes what somebody is here.
    ///
    /// - Parameter seen: the version they were when somebody decided; refused with `precondition_failed` where it is another now.
    public func change(_ id: String, _ body: ChangePersonBody, seen: Int? = nil) async throws(ClientError) -> PersonAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "people", .id(id)], body, key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    public func remove(_ id: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "people", .id(id)], key: caller.newIdempotencyKey))
    }

    /// Changes one's own password, which ends every other session of one's own.
    public func changePassword(from current: Secret, to new: Secret) async throws(ClientError) {
        let body = ChangePasswordBody(currentPassword: current.reveal(), newPassword: new.reveal())
        try await caller.perform(.write(.put, ["api", "v1", "people", "me", "password"], body, key: caller.newIdempotencyKey))
    }

    /// Says that one is home, or that one is not.
    public func setPresence(isHome: Bool) async throws(ClientError) -> PresenceAnswer {
        try await caller.read(
            .write(.put, ["api", "v1", "people", "me", "presence"], PresenceBody(isHome: isHome), key: caller.newIdempotencyKey))
    }

    /// The entity that tells whether one is home, and those one may choose from.
    public func presenceSource() async throws(ClientError) -> PresenceSourceAnswer {
        try await caller.read(.get("api", "v1", "people", "me", "presence", "source"))
    }

    /// Has an entity tell whether one is home, in place of the one before.
    public func linkPresence(to entityID: String) async throws(ClientError) -> PresenceSourceAnswer {
        let body = PresenceSourceBody(entityID: entityID)
        return try await caller.read(
            .write(.put, ["api", "v1", "people", "me", "presence", "source"], body, key: caller.newIdempotencyKey))
    }

    /// No entity tells any more whether one is home.
    public func unlinkPresence() async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "people", "me", "presence", "source"], key: caller.newIdempotencyKey))
    }
}
