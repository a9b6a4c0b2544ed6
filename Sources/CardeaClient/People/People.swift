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

    /// Changes a person's role and rights.
    ///
    /// - Parameter seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    public func change(_ id: String, _ body: ChangePersonBody, seen: Int? = nil) async throws(ClientError) -> PersonAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "people", .id(id)], body, key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    public func remove(_ id: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "people", .id(id)], key: caller.newIdempotencyKey))
    }

    /// Changes the signed-in person's password, which ends all their other sessions.
    public func changePassword(from current: Secret, to new: Secret) async throws(ClientError) {
        let body = ChangePasswordBody(currentPassword: current.reveal(), newPassword: new.reveal())
        try await caller.perform(.write(.put, ["api", "v1", "people", "me", "password"], body, key: caller.newIdempotencyKey))
    }

    /// Reports that the signed-in person is home, or not.
    public func setPresence(isHome: Bool) async throws(ClientError) -> PresenceAnswer {
        try await caller.read(
            .write(.put, ["api", "v1", "people", "me", "presence"], PresenceBody(isHome: isHome), key: caller.newIdempotencyKey))
    }

    /// The entity that determines whether the signed-in person is home, and the possible ones.
    public func presenceSource() async throws(ClientError) -> PresenceSourceAnswer {
        try await caller.read(.get("api", "v1", "people", "me", "presence", "source"))
    }

    /// Sets the entity that determines whether the signed-in person is home.
    public func linkPresence(to entityID: String) async throws(ClientError) -> PresenceSourceAnswer {
        let body = PresenceSourceBody(entityID: entityID)
        return try await caller.read(
            .write(.put, ["api", "v1", "people", "me", "presence", "source"], body, key: caller.newIdempotencyKey))
    }

    /// Removes the entity that determines whether the signed-in person is home.
    public func unlinkPresence() async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "people", "me", "presence", "source"], key: caller.newIdempotencyKey))
    }
}
