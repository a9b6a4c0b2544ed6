import CardeaAPI
import CardeaSecurity
import Foundation

/// Sends requests on behalf of the signed-in person. Every façade is made of calls through here.
struct AuthenticatedClient: Sendable {
    let pipeline: RequestPipeline
    let sessionManager: SessionManager

    /// A fresh key for one write.
    var newIdempotencyKey: String { pipeline.environment.makeIdempotencyKey() }

    func read<Answer: Decodable>(_ call: APICall, as _: Answer.Type = Answer.self) async throws(ClientError) -> Answer {
        try await response(call).decode(Answer.self)
    }

    /// A write whose answer has no content.
    func perform(_ call: APICall) async throws(ClientError) {
        _ = try await response(call)
    }

    /// The answer of a successful call.
    func response(_ call: APICall) async throws(ClientError) -> TransportResponse {
        try await authorized { bearer throws(ClientError) in try await pipeline.send(call, bearer: bearer) }
    }

    /// The answer of a successful call; nil if the answer with entity tag `tag` is still current.
    func response(_ call: APICall, unlessStill tag: String?) async throws(ClientError) -> TransportResponse? {
        var call = call
        call.entityTag = tag
        let response = try await response(call)
        return response.status == 304 ? nil : response
    }

    /// The answer to `ask` with the session's token. A refused token is renewed once; if the new one is refused too, the session is
    /// cleared.
    ///
    /// - Parameters:
    ///   - isOpen: the call needs no session.
    ///   - again: true if the call may be sent a second time.
    func authorized(
        unless isOpen: Bool = false, again: Bool = true, _ ask: (Secret?) async throws(ClientError) -> TransportResponse
    ) async throws(ClientError) -> TransportResponse {
        guard !isOpen else { return try Self.accept(await ask(nil)) }
        let session = try await sessionManager.current()
        var response = try await ask(session.accessToken)
        if again, Self.refusesToken(response) {
            let renewed = try await sessionManager.renewed(insteadOf: session)
            response = try await ask(renewed.accessToken)
            if Self.refusesToken(response) {
                try await sessionManager.clear(renewed)
                throw .unauthorized
            }
        }
        return try Self.accept(response)
    }

    /// A call that needs no session.
    func sendUnauthenticated(_ call: APICall) async throws(ClientError) -> TransportResponse {
        try Self.accept(await pipeline.send(call, bearer: nil))
    }

    private static func accept(_ response: TransportResponse) throws(ClientError) -> TransportResponse {
        // Only a call that sends an entity tag gets 304.
        guard response.isSuccess || response.status == 304 else { throw .api(APIError(response)) }
        return response
    }

    /// A wrong current password is a 401 as well, and does not mean that the session is invalid.
    private static func refusesToken(_ response: TransportResponse) -> Bool {
        response.status == 401 && APIError(response).code != "invalid_credentials"
    }
}
