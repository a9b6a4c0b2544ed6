import CardeaAPI
import CardeaSecurity
import Foundation

/// Asks the hub on behalf of whoever is signed in. Every façade is made of calls through here.
struct AuthenticatedClient: Sendable {
    let pipeline: RequestPipeline
    let sessionManager: SessionManager

    /// A fresh key for one write.
    var newIdempotencyKey: String { pipeline.environment.makeIdempotencyKey() }

    func read<Answer: Decodable>(_ call: APICall, as _: Answer.Type = Answer.self) async throws(ClientError) -> Answer {
        try await response(call).decode(Answer.self)
    }

    /// A write whose answer has nothing to say.
    func perform(_ call: APICall) async throws(ClientError) {
        _ = try await response(call)
    }

    /// The answer of a call that went well.
    func response(_ call: APICall) async throws(ClientError) -> TransportResponse {
        try await authorized { bearer throws(ClientError) in try await pipeline.send(call, bearer: bearer) }
    }

    /// The answer of a call that went well; nil where what `tag` names is still the answer.
    func response(_ call: APICall, unlessStill tag: String?) async throws(ClientError) -> TransportResponse? {
        var call = call
        call.entityTag = tag
        let response = try await response(call)
        return response.status == 304 ? nil : response
    }

    /// What `ask` is answered with the session's token. A refused token is renewed once; refused again, it is forgotten.
    ///
    /// - Parameters:
    ///   - isOpen: nobody needs to be signed in.
    ///   - again: whether it can be asked a second time.
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

    /// A call for which nobody needs to be signed in.
    func sendUnauthenticated(_ call: APICall) async throws(ClientError) -> TransportResponse {
        try Self.accept(await pipeline.send(call, bearer: nil))
    }

    private static func accept(_ response: TransportResponse) throws(ClientError) -> TransportResponse {
        // Only a call that names what it has comes back with 304.
        guard response.isSuccess || response.status == 304 else { throw .api(APIError(response)) }
        return response
    }

    /// A wrong current password is a 401 as well, and says nothing about the session.
    private static func refusesToken(_ response: TransportResponse) -> Bool {
        response.status == 401 && APIError(response).code != "invalid_credentials"
    }
}
