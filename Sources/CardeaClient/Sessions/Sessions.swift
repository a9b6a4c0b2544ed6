import CardeaAPI
import CardeaSecurity
import Foundation

/// Claiming a new house, signing in, signing out.
public struct Sessions: Sendable {
    let caller: AuthenticatedClient

    /// Returns whether the house already has an owner.
    public func isClaimed() async throws(ClientError) -> Bool {
        try await caller.sendUnauthenticated(.get("api", "v1", "claim")).decode(ClaimState.self).claimed
    }

    /// Claims a new house, and signs in as its owner.
    public func claim(_ body: ClaimBody) async throws(ClientError) {
        try await startSession(.write(.post, ["api", "v1", "claim"], body))
    }

    public func login(username: String, password: Secret) async throws(ClientError) {
        try await startSession(.write(.post, ["api", "v1", "auth", "login"], LoginBody(username: username, password: password.reveal())))
    }

    /// Accepts an invitation into the household, and signs in.
    public func accept(invitation: Secret, username: String, password: Secret) async throws(ClientError) {
        let body = AcceptInvitationBody(inviteToken: invitation.reveal(), username: username, password: password.reveal())
        try await startSession(.write(.post, ["api", "v1", "people", "accept"], body))
    }

    /// Ends the session. Its tokens are deleted here even when the hub cannot be reached; the error then says so.
    public func logout() async throws(ClientError) {
        guard let session = try await caller.sessionManager.load() else { throw .unauthorized }
        try await caller.sessionManager.clear(session)
        var call = try APICall.write(.post, ["api", "v1", "auth", "logout"], RefreshBody(refreshToken: session.refreshToken.reveal()))
        call.isIdempotent = true
        let response = try await caller.pipeline.send(call, bearer: session.accessToken)
        // A session that has ended already is the wanted result.
        guard response.isSuccess || response.status == 401 else { throw .api(APIError(response)) }
    }

    /// Deletes the tokens here. The hub is not notified, which is not needed if it has ended the session for good.
    public func clearLocal() async throws(ClientError) {
        guard let session = try await caller.sessionManager.load() else { return }
        try await caller.sessionManager.clear(session)
    }

    /// Proves the person's identity again. For five minutes the session may then perform actions that require it.
    public func stepUp(password: Secret) async throws(ClientError) -> StepUpAnswer {
        try await caller.read(.write(.post, ["api", "v1", "auth", "step-up"], StepUpBody(password: password.reveal())))
    }

    /// One's own sessions, the last used first.
    public func open() async throws(ClientError) -> [OpenSessionAnswer] {
        try await caller.read(.get("api", "v1", "auth", "sessions"), as: OpenSessionsAnswer.self).sessions
    }

    /// Ends one of one's own sessions.
    public func end(_ sessionID: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "auth", "sessions", .id(sessionID)]))
    }

    /// Ends all other sessions of the signed-in person and returns their number; requires a step-up.
    public func endOthers() async throws(ClientError) -> Int {
        let call = try APICall.write(.post, ["api", "v1", "auth", "sessions", "revoke-all"], RevokeSessionsBody(keepCurrent: true))
        return try await caller.read(call, as: RevokedAnswer.self).revoked
    }

    /// Returns whether a session is stored here. The hub is not asked.
    public func isSignedIn() async throws(ClientError) -> Bool {
        try await caller.sessionManager.load() != nil
    }

    private func startSession(_ call: APICall) async throws(ClientError) {
        let answer = try await caller.sendUnauthenticated(call).decode(TokensAnswer.self)
        try await caller.sessionManager.save(Session(answer, at: caller.pipeline.environment.now()))
    }
}
