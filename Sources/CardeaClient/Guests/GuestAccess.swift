import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation

/// The guest's side: take a pass and use it. No account, no session; the pass itself identifies the guest.
public struct GuestAccess: Sendable {
    let pipeline: RequestPipeline

    /// A pass that has just been taken, and the token that is the pass. The token is given once.
    public struct RedeemedPass: Sendable {
        public let pass: GuestPassAnswer
        public let token: Secret
        /// True if the house bound the pass to the key sent with the code. Each `act` then needs that key.
        public let isBound: Bool
    }

    /// Redeems a code, spoken or from a link. If a resident must approve first, call again with the same code and the same key.
    ///
    /// - Parameters:
    ///   - key: a new key, made for this pass. With it the token alone opens nothing.
    ///   - claimSecret: from the first answer, if there is no key.
    ///   - asksAgain: true if the code is of a used link and this phone has lost the pass. A resident must approve.
    ///   - keyVerifies: true if the key is released only after this phone has verified its user, as some passes require.
    public func pair(
        code: Secret, key: GuestKey? = nil, claimSecret: Secret? = nil, asksAgain: Bool = false, keyVerifies: Bool = false
    ) async throws(GuestAccessError) -> ApprovalResult<RedeemedPass> {
        let response = try await request(
            ["pair"],
            PairBody(
                pairingCode: code.reveal(), deviceID: key?.deviceID, devicePublicKey: key?.publicKey.text,
                claimSecret: claimSecret?.reveal(), askAgain: asksAgain ? true : nil, deviceKeyVerifies: keyVerifies ? true : nil))
        if response.status == 202 { return .waiting(try read(response)) }
        var pass: GuestPassAnswer = try read(response)
        guard let token = pass.guestToken else { throw .client(.invalidResponse("the pass has no token")) }
        pass.guestToken = nil
        let isBound = key != nil && pass.confirmation?.thumbprint == key?.publicKey.thumbprint
        return .granted(RedeemedPass(pass: pass, token: Secret(token), isBound: isBound))
    }

    /// Reports to the house that the code was scanned; uses nothing up.
    public func reportScan(code: Secret) async throws(GuestAccessError) -> ScannedAnswer {
        try read(await request(["pair", "scanned"], ScannedBody(pairingCode: code.reveal()), repeats: true))
    }

    /// Performs an action that the pass allows, and waits for the outcome. If the answer is lost, it is queried again with the same key, so
    /// that no use is spent twice.
    ///
    /// - Parameter key: the key that the pass is bound to. It signs each try.
    public func perform(
        _ action: GuestAction, token: Secret, key: GuestKey? = nil
    ) async throws(GuestAccessError) -> ApprovalResult<GuestActionAnswer> {
        let response: TransportResponse
        do {
            response = try await sendWithProof(action, token: token, key: key)
        } catch GuestAccessError.client(.interrupted), GuestAccessError.client(.timeout) {
            throw .outcomeUnknown(nil)
        }
        return response.status == 202 ? .waiting(try read(response)) : .granted(try read(response))
    }

    /// Cancels an action that waits for approval, by the command id of the wait: its guest has gone or changed their mind. The use is not
    /// counted. Repeating the call gives the same answer; it is refused as `not_waiting` if the house has already answered.
    @discardableResult
    public func withdraw(_ commandID: String, token: Secret) async throws(GuestAccessError) -> GuestActionAnswer {
        try read(await request(["action", "cancel"], CancelActionBody(commandID: commandID), repeats: true, token: token))
    }

    /// The present state of the pass.
    public func pass(token: Secret) async throws(GuestAccessError) -> GuestPassAnswer {
        try read(await send(.get("api", "guest_access", "pass"), token: token))
    }

    /// The same with the token in the body instead of a header.
    public func validate(token: Secret) async throws(GuestAccessError) -> GuestPassAnswer {
        try read(await request(["token", "validate"], ValidateBody(guestToken: token.reveal()), repeats: true))
    }

    /// The present states of the devices of the pass.
    public func states(token: Secret) async throws(GuestAccessError) -> GuestEntityStates {
        try read(await send(.get("api", "guest_access", "states"), token: token))
    }
}

extension GuestAccess {
    /// Sends the action with a proof. If the house rejects the proof, sends it once more with a new one; but not if the proof had been
    /// used, because that request was received.
    private func sendWithProof(_ action: GuestAction, token: Secret, key: GuestKey?) async throws(GuestAccessError) -> TransportResponse {
        do throws(GuestAccessError) {
            return try await sendOnce(action, token: token, key: key)
        } catch {
            guard key != nil, let refusal = error.proofRefusal, refusal.allowsRetry else { throw error }
        }
        return try await sendOnce(action, token: token, key: key)
    }

    private func sendOnce(_ action: GuestAction, token: Secret, key: GuestKey?) async throws(GuestAccessError) -> TransportResponse {
        let body = GuestActionBody(action: action.action, entityID: action.entityID, value: action.value)
        let since = pipeline.environment.now()
        return try await request(["action"], body, key: action.key, token: token, timeout: .seconds(75)) { call in
            guard let key else { return }
            call.makeProofHeaders = { request throws(ClientError) in try await proof(of: request, by: key, token: token, since: since) }
        }
    }

    /// The header fields which prove that `request` comes from the holder of `key`, at this moment.
    private func proof(
        of request: TransportRequest, by key: GuestKey, token: Secret, since: Date
    ) async throws(ClientError) -> [String: String] {
        let nonce = try await nonce(token)
        // The guest may have left the door by now: nothing is sent late.
        guard pipeline.environment.now() < since.addingTimeInterval(RetryRunner.window) else {
            throw .noConnection(host: pipeline.hub.host)
        }
        let proof = ActionProof(
            // By the house's clock, which was just received: this device's own may be wrong.
            nonce: nonce.nonce, ts: Int64(nonce.now), method: request.method.rawValue, path: "/api/guest_access/action",
            body: request.body ?? Data(), jti: nonce.jti, deviceID: key.deviceID)
        do {
            let (header, signature) = try key.sign(proof)
            return [GuestProofHeaders.proof.lowercased(): header, GuestProofHeaders.signature.lowercased(): signature]
        } catch {
            throw .storage("The key of this pass does not work. Accept the pass again with a new link.")
        }
    }

    private func nonce(_ token: Secret) async throws(ClientError) -> NonceAnswer {
        var call = APICall.get("api", "guest_access", "action", "nonce").urgent()
        call.isUnshared = true
        call.timeout = .seconds(8)
        let response: TransportResponse
        do throws(ClientError) {
            response = try await pipeline.send(call, bearer: token)
        } catch {
            switch error {
            // The action was not sent.
            case .interrupted, .timeout: throw .noConnection(host: pipeline.hub.host)
            default: throw error
            }
        }
        guard response.isSuccess else { throw .api(APIError(response)) }
        return try response.decode(NonceAnswer.self)
    }

    private func request(
        _ path: [PathSegment], _ body: some Encodable, key: String? = nil, repeats: Bool = false,
        token: Secret? = nil, timeout: Duration = .seconds(15), _ prepare: (inout APICall) -> Void = { _ in }
    ) async throws(GuestAccessError) -> TransportResponse {
        var call: APICall
        do throws(ClientError) {
            call = try .write(.post, ["api", "guest_access"] + path, body, key: key)
        } catch {
            throw .client(error)
        }
        call.isIdempotent = repeats
        // Only a call that moves a device has a key here.
        call.isUrgent = key != nil
        call.timeout = timeout
        prepare(&call)
        return try await send(call, token: token)
    }

    private func send(_ call: APICall, token: Secret?) async throws(GuestAccessError) -> TransportResponse {
        let response: TransportResponse
        do throws(ClientError) {
            response = try await pipeline.send(call, bearer: token)
        } catch {
            // A refusal while requesting the nonce is reported like any other refusal.
            if case .api(let refusal) = error { throw .refused(refusal) }
            throw .client(error)
        }
        guard response.isSuccess else { throw GuestAccessError(response) }
        return response
    }

    private func read<Answer: Decodable>(_ response: TransportResponse) throws(GuestAccessError) -> Answer {
        do throws(ClientError) {
            return try response.decode(Answer.self)
        } catch {
            throw .client(error)
        }
    }
}
