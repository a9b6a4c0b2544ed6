import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation

/// The guest's side: take a pass, use it. No account, no session; the pass itself says who asks.
public struct GuestAccess: Sendable {
    let line: Line

    /// A pass that has just been taken, and the token that is the pass. The token is given once.
    public struct Taken: Sendable {
        public let pass: GuestPassAnswer
        public let token: Secret
    }

    /// Redeems a code, spoken or from a link. Where the house must say yes first, ask again with the same code.
    public func pair(code: Secret) async throws(GuestAccessError) -> Approvable<Taken> {
        let response = try await ask(["pair"], PairBody(pairingCode: code.reveal()))
        if response.status == 202 { return .waiting(try read(response)) }
        var pass: GuestPassAnswer = try read(response)
        guard let token = pass.guestToken else { throw .client(.invalidResponse("the pass came without its token")) }
        pass.guestToken = nil
        return .granted(Taken(pass: pass, token: Secret(token)))
    }

    /// Tells the house that the code was seen; consumes nothing.
    public func acknowledgeScan(code: Secret) async throws(GuestAccessError) -> ScannedAnswer {
        try read(await ask(["pair", "scanned"], PairBody(pairingCode: code.reveal()), repeats: true))
    }

    /// Does what the pass allows, and waits for the outcome. A lost answer is asked for again with the same key, so no use is spent twice.
    public func act(_ action: GuestAction, token: Secret) async throws(GuestAccessError) -> Approvable<GuestActionAnswer> {
        let body = GuestActionBody(action: action.action, entityID: action.entityID, value: action.value)
        let response: TransportResponse
        do {
            response = try await ask(["action"], body, key: action.key, token: token, timeout: .seconds(75))
        } catch GuestAccessError.client(.interrupted), GuestAccessError.client(.timeout) {
            throw .outcomeUnknown(nil)
        }
        return response.status == 202 ? .waiting(try read(response)) : .granted(try read(response))
    }

    /// Takes back what waits for the house's yes, by the number that came with the wait: its guest has gone, or changed their mind.
    /// The use is not counted. Asked again, it answers the same; refused as `not_waiting` where the house has answered already.
    @discardableResult
    public func takeBack(_ commandID: String, token: Secret) async throws(GuestAccessError) -> GuestActionAnswer {
        try read(await ask(["action", "cancel"], CancelActionBody(commandID: commandID), repeats: true, token: token))
    }

    /// How the pass stands now.
    public func pass(token: Secret) async throws(GuestAccessError) -> GuestPassAnswer {
        try read(await send(.get("api", "guest_access", "pass"), token: token))
    }

    /// The same for a token that is not shown in a header.
    public func validate(token: Secret) async throws(GuestAccessError) -> GuestPassAnswer {
        try read(await ask(["token", "validate"], ValidateBody(guestToken: token.reveal()), repeats: true))
    }

    /// How the things stand that the pass is about.
    public func states(token: Secret) async throws(GuestAccessError) -> GuestStates {
        try read(await send(.get("api", "guest_access", "states"), token: token))
    }
}

extension GuestAccess {
    private func ask(
        _ path: [PathSegment], _ body: some Encodable, key: String? = nil, repeats: Bool = false,
        token: Secret? = nil, timeout: Duration = .seconds(15)
    ) async throws(GuestAccessError) -> TransportResponse {
        var call: Call
        do throws(ClientError) {
            call = try .write(.post, ["api", "guest_access"] + path, body, key: key)
        } catch {
            throw .client(error)
        }
        call.repeats = repeats
        // Only what moves something is given a key here.
        call.isUrgent = key != nil
        call.timeout = timeout
        return try await send(call, token: token)
    }

    private func send(_ call: Call, token: Secret?) async throws(GuestAccessError) -> TransportResponse {
        let response: TransportResponse
        do throws(ClientError) {
            response = try await line.ask(call, bearer: token)
        } catch {
            throw .client(error)
        }
        guard response.isSuccess else { throw GuestAccessError(response) }
        return response
    }

    private func read<Answer: Decodable>(_ response: TransportResponse) throws(GuestAccessError) -> Answer {
        do throws(ClientError) {
            return try response.read(Answer.self)
        } catch {
            throw .client(error)
        }
    }
}
