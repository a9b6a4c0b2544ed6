import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/guest_access`: the guest's side, on the wire of Seed 000.
struct GuestAccessController: Sendable {
    let hub: Hub
    let origins: HubOrigins

    func addRoutes(to table: RouteTable) {
        table.open(.pairGuest, pair)
        table.open(.scanGuestCode, recordScan)
        table.open(.restorePass, restore)
        table.open(.validateGuestToken, validate)
        table.guest(.showPass, pass)
        table.guest(.showPassStates, states)
        // A nonce is requested just before an action.
        table.guest(.makeActionNonce, isTry: true, makeNonce)
        table.guest(.actAsGuest, performAction)
        table.guest(.takeBackAsGuest, cancel)
    }

    private func pair(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(PairBody.self)
        guard !body.pairingCode.isEmpty else { throw WireFormat.BodyError.field("pairing_code", "must not be empty") }
        do {
            let (token, pass) = try await hub.guestAccess.pair(
                body.pairingCode, key: try GuestResponses.key(body), claimSecret: try GuestResponses.claimSecret(body),
                asksAgain: body.askAgain ?? false, verifying: try verification(body, request), origin: context.origin)
            return try .encoding(GuestResponses.pass(pass, token: token))
        } catch GuestAccess.GuestAccessError.waiting(let waiting) {
            return try pending(until: waiting.until, phone: waiting)
        } catch GuestAccess.GuestAccessError.pass(let refusal) {
            throw APIResponseError.pass(refusal, pairing: true)
        }
    }

    /// The way in which the phone verifies its owner.
    private func verification(_ body: PairBody, _ request: Request) throws -> UserVerification {
        guard let passkey = body.passkey else { return body.deviceKeyVerifies == true ? .deviceKey : .none }
        return .passkey(try PasskeyEncoding.attestation(passkey), try PasskeyEncoding.relyingParty(of: request, origins: origins))
    }

    private func restore(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(RestorePassBody.self)
        let key = try GuestResponses.key(PairBody(pairingCode: "", deviceID: body.deviceID, devicePublicKey: body.devicePublicKey))
        guard let key else { throw WireFormat.BodyError.field("device_public_key", "is required") }
        let party = try PasskeyEncoding.relyingParty(of: request, origins: origins)
        let (token, pass) = try await hub.guestAccess.restore(
            try PasskeyEncoding.assertion(body.credential), key: key, at: party, origin: context.origin)
        return try .encoding(GuestResponses.pass(pass, token: token))
    }

    private func recordScan(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(ScannedBody.self)
        guard !body.pairingCode.isEmpty else { throw WireFormat.BodyError.field("pairing_code", "must not be empty") }
        let seen = try await hub.guestAccess.recordScan(body.pairingCode, origin: context.origin)
        return try .encoding(
            ScannedAnswer(
                status: seen.isFirst ? "acknowledged" : "already_acknowledged", qrScannedAt: seen.at, presence: seen.presence,
                expiresAt: seen.expiresAt))
    }

    private func validate(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(ValidateBody.self)
        guard !body.guestToken.isEmpty, body.guestToken.utf8.count <= 4096 else {
            throw WireFormat.BodyError.field("guest_token", "must have 1 to 4096 bytes")
        }
        let principal = try await hub.guestAccess.authenticate(
            Secret(body.guestToken), isLook: true, origin: context.origin)
        context.connectionSlot?.markAuthenticated()
        return try await hub.readAuditor.read(at: "pass", by: principal, origin: context.origin) {
            try .encoding(GuestResponses.pass(try await hub.guestAccess.validPass(of: principal, origin: context.origin)))
        }
    }

    /// The pass in any state, so that its page can show that it has ended.
    private func pass(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(GuestResponses.pass(try await hub.guestAccess.pass(of: principal)))
    }

    private func states(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(GuestResponses.states(try await hub.guestAccess.openPass(of: principal, origin: context.origin)))
    }

    private func makeNonce(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        guard let token = try request.bearerToken() else { throw APIResponseError.missingBearer }
        let (nonce, jti, expiresAt, now) = try hub.guestAccess.nonce(for: token)
        return try .encoding(NonceAnswer(nonce: nonce, jti: jti, expiresAt: expiresAt, now: now))
    }

    private func performAction(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(GuestActionBody.self, from: data)
        guard !body.action.isEmpty else { throw WireFormat.BodyError.field("action", "must not be empty") }
        guard let name = ActionName(body.action) else {
            throw APIResponseError.unknownAction(body.action)
        }
        let commandRequest = CommandRequest(
            principal: principal, target: .pass(name, spoken: body.action, entityID: body.entityID),
            value: try GuestResponses.value(body, for: name.verb),
            idempotencyKey: try request.idempotencyKey(data), origin: context.origin, proof: request.guestProof(data, at: origins))
        switch try await hub.commands.submit(commandRequest) {
        case .state(let device, let entity):
            var answer = GuestActionAnswer(success: true)
            answer.action = body.action
            answer.entityID = entity.id
            answer.state = GuestResponses.state(of: entity, device)
            return try .encoding(answer)
        case .command(let command, let isReplay):
            if command.isAwaitingApproval { return try pending(until: command.life.notAfter, command: command) }
            return try GuestResponses.outcome(try await hub.commands.outcome(of: command), isReplay: isReplay)
        }
    }

    /// Withdraws a command that waits for approval.
    private func cancel(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(CancelActionBody.self)
        guard !body.commandID.isEmpty, body.commandID.utf8.count <= 128 else {
            throw WireFormat.BodyError.field("command_id", "must have 1 to 128 bytes")
        }
        return try GuestResponses.cancelled(try await hub.commands.withdraw(body.commandID, by: principal))
    }

    private func pending(until: Date, command: Command? = nil, phone: GuestAccess.ApprovalWait? = nil) throws -> Response {
        var answer = GuestActionAnswer(success: false)
        answer.status = APIResponseError.pendingApproval.code
        // New phones are always approved by those who may invite guests; commands, by the group of the setting.
        answer.message = (command == nil ? ApproverGroup.inviters : hub.house.current.preferences.asksAnsweredBy).sentence
        answer.retryAfter = APIResponseError.pendingApproval.retryAfter
        answer.expiresAt = Int(until.timeIntervalSince1970)
        answer.commandID = command?.id
        answer.entityID = command?.entityID
        answer.action = command?.requestedActionName
        answer.number = phone?.number
        answer.claimSecret = phone?.claimSecret?.reveal()
        var response = try Response.encoding(answer, status: APIResponseError.pendingApproval.status)
        response.headers[.retryAfter] = "\(APIResponseError.pendingApproval.retryAfter)"
        return response
    }
}
