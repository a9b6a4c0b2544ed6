import CardeaAPI
import CardeaSecurity
import Foundation

/// Asks the hub on behalf of whoever is signed in. Every façade is made of calls through here.
struct Caller: Sendable {
    let line: Line
    let keeper: SessionKeeper

    /// A fresh key for one write.
    var newKey: String { line.surroundings.newKey() }

    func read<Answer: Decodable>(_ call: Call, as _: Answer.Type = Answer.self) async throws(ClientError) -> Answer {
        try await answer(call).read(Answer.self)
    }

    /// A write whose answer has nothing to say.
    func done(_ call: Call) async throws(ClientError) {
        _ = try await answer(call)
    }

    /// The answer of a call that went well.
    func answer(_ call: Call) async throws(ClientError) -> TransportResponse {
        try await signed { bearer throws(ClientError) in try await line.ask(call, bearer: bearer) }
    }

    /// The answer of a call that went well; nil where what `tag` names is still the answer.
    func answer(_ call: Call, unlessStill tag: String?) async throws(ClientError) -> TransportResponse? {
        var call = call
        call.known = tag
        let response = try await answer(call)
        return response.status == 304 ? nil : response
    }

    /// What `ask` is answered with the session's token. A refused token is renewed once; refused again, it is forgotten.
    ///
    /// - Parameters:
    ///   - isOpen: nobody needs to be signed in.
    ///   - again: whether it can be asked a second time.
    func signed(
        unless isOpen: Bool = false, again: Bool = true, _ ask: (Secret?) async throws(ClientError) -> TransportResponse
    ) async throws(ClientError) -> TransportResponse {
        guard !isOpen else { return try Self.accept(await ask(nil)) }
        let session = try await keeper.current()
        var response = try await ask(session.accessToken)
        if again, Self.refusesToken(response) {
            let renewed = try await keeper.renewed(insteadOf: session)
            response = try await ask(renewed.accessToken)
            if Self.refusesToken(response) {
                try await keeper.forget(renewed)
                throw .unauthorized
            }
        }
        return try Self.accept(response)
    }

    /// A call for which nobody needs to be signed in.
    func open(_ call: Call) async throws(ClientError) -> TransportResponse {
        try Self.accept(await line.ask(call, bearer: nil))
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
