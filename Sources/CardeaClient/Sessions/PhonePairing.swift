import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation

/// Pairs an app as a phone of the house: it requests pairing, shows six digits, waits until a signed-in person types them, and is signed
/// in.
///
///     let asked = try await client.phonePairing.requestPairing(phone)
///     show(PairingDigits.formatted(asked.digits))
///     if try await client.phonePairing.waitForConfirmation(asked) { try await client.phonePairing.finish(asked) }
public struct PhonePairing: Sendable {
    let caller: AuthenticatedClient

    /// A phone's pairing request. Only this phone can get the result.
    public struct PairingRequest: Sendable {
        public let phone: PhoneDescription
        /// To be shown by the phone, and typed by a signed-in person.
        public let digits: String
        public let secret: Secret
        /// The end of its validity, by the house's clock.
        public let expiresAt: Date
    }

    /// Requests pairing for this phone. It replaces an earlier request.
    public func requestPairing(_ phone: PhoneDescription) async throws(ClientError) -> PairingRequest {
        let body = PairPhoneBody(deviceID: phone.deviceID, deviceName: phone.name, deviceModel: phone.model, platform: phone.platform)
        let answer = try await caller.sendUnauthenticated(.write(.post, ["api", "v1", "mobile", "auth", "pair"], body)).decode(
            PairPhoneAnswer.self)
        return PairingRequest(phone: phone, digits: answer.pairingCode, secret: Secret(answer.deviceCode), expiresAt: answer.expiresAt)
    }

    /// The state of the request. The house answers when it was decided, or after `wait` seconds, 25 at most.
    public func status(_ asked: PairingRequest, wait: Int = 0) async throws(ClientError) -> PhonePairingStatusAnswer {
        var call = APICall.get("api", "v1", "mobile", "auth", "status", query: [("wait", String(wait))])
        call.timeout = .seconds(wait + 15)
        let response = try await caller.pipeline.send(call, bearer: asked.secret)
        guard response.isSuccess else { throw .api(APIError(response)) }
        return try response.decode(PhonePairingStatusAnswer.self)
    }

    /// Waits until a person has confirmed the phone; false if it was rejected or the time ran out.
    public func waitForConfirmation(_ asked: PairingRequest) async throws(ClientError) -> Bool {
        while true {
            let standing = try await status(asked, wait: 25)
            if standing.confirmed || standing.expired { return standing.confirmed }
        }
    }

    /// Takes the tokens of a phone that was confirmed, once, and is signed in from then on.
    ///
    /// - Returns: the house's name for this phone.
    @discardableResult
    public func finish(_ asked: PairingRequest) async throws(ClientError) -> String {
        let body = VerifyPhoneBody(pairingCode: asked.digits, deviceID: asked.phone.deviceID, deviceCode: asked.secret.reveal())
        let answer = try await caller.sendUnauthenticated(.write(.post, ["api", "v1", "mobile", "auth", "verify"], body)).decode(
            PhoneTokensAnswer.self)
        try await caller.sessionManager.save(Session(answer, at: caller.pipeline.environment.now()))
        return answer.deviceID
    }
}
