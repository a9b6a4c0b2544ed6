import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/guest_access`: the guest's side, on the wire of Seed 000.
struct GuestAccessHarness: Sendable {
    let hub: Hub
    let origins: OwnOrigins

    func add(to table: RouteTable) {
        table.open(.pairGuest, pair)
        table.open(.scanGuestCode, scanned)
        table.open(.restorePass, restore)
        table.open(.validateGuestToken, validate)
        table.guest(.showPass, pass)
        table.guest(.showPassStates, states)
        // A nonce is asked for by whoever is about to act.
        table.guest(.makeActionNonce, isTry: true, nonce)
        table.guest(.actAsGuest, action)
        table.guest(.takeBackAsGuest, cancel)
    }

    private func pair(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(PairBody.self)
        guard !body.pairingCode.isEmpty else { throw Wire.Problem.field("pairing_code", "is empty") }
        do {
            let (token, shown) = try await hub.guestAccess.pair(
                body.pairingCode, key: try GuestWire.key(body), claimSecret: try GuestWire.claimSecret(body),
                asksAgain: body.askAgain ?? false, verifying: try verification(body, request), origin: context.origin)
            return try .encoding(GuestWire.pass(shown, token: token))
        } catch GuestAccess.Problem.waiting(let waiting) {
            return try pending(until: waiting.until, phone: waiting)
        } catch GuestAccess.Problem.pass(let refusal) {
            throw Problem.pass(refusal, pairing: true)
        }
    }

    /// By which the phone verifies its owner.
    private func verification(_ body: PairBody, _ request: Request) throws -> Verification {
        guard let passkey = body.passkey else { return body.deviceKeyVerifies == true ? .ofKey : .none }
        return .passkey(try PasskeyWire.made(passkey), try PasskeyWire.party(of: request, origins: origins))
    }

    private func restore(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(RestorePassBody.self)
        let key = try GuestWire.key(PairBody(pairingCode: "", deviceID: body.deviceID, devicePublicKey: body.devicePublicKey))
        guard let key else { throw Wire.Problem.field("device_public_key", "is missing") }
        let party = try PasskeyWire.party(of: request, origins: origins)
        let (token, shown) = try await hub.guestAccess.restore(
            try PasskeyWire.shown(body.credential), key: key, at: party, origin: context.origin)
        return try .encoding(GuestWire.pass(shown, token: token))
    }

    private func scanned(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(ScannedBody.self)
        guard !body.pairingCode.isEmpty else { throw Wire.Problem.field("pairing_code", "is empty") }
        let seen = try await hub.guestAccess.scanned(body.pairingCode, origin: context.origin)
        return try .encoding(
            ScannedAnswer(
                status: seen.isFirst ? "acknowledged" : "already_acknowledged", qrScannedAt: seen.at, presence: seen.presence,
                expiresAt: seen.expiresAt))
    }

    private func validate(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(ValidateBody.self)
        guard !body.guestToken.isEmpty, body.guestToken.utf8.count <= 4096 else {
            throw Wire.Problem.field("guest_token", "is empty or too long")
        }
        let principal = try await hub.guestAccess.authenticate(
            Secret(body.guestToken), isLook: true, origin: context.origin)
        context.place?.becomeKnown()
        return try await hub.looks.look(at: "pass", by: principal, origin: context.origin) {
            try .encoding(GuestWire.pass(try await hub.guestAccess.validPass(of: principal, origin: context.origin)))
        }
    }

    /// The pass whatever its standing, so that its page can say that it is over.
    private func pass(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try .encoding(GuestWire.pass(try await hub.guestAccess.pass(of: principal)))
    }

    private func states(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try .encoding(GuestWire.states(try await hub.guestAccess.openPass(of: principal, origin: context.origin)))
    }

    private func nonce(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        guard let token = try request.bearer() else { throw Problem.missingBearer }
        let (nonce, jti, expiresAt, now) = try hub.guestAccess.nonce(for: token)
        return try .encoding(NonceAnswer(nonce: nonce, jti: jti, expiresAt: expiresAt, now: now))
    }

    private func action(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBytes()
        let body = try Wire.readBody(GuestActionBody.self, from: data)
        guard !body.action.isEmpty else { throw Wire.Problem.field("action", "is empty") }
        guard let name = ActionName(body.action) else {
            throw Problem(.badRequest, "unsupported_action", "The house does not know the action \(body.action.prefix(64)).")
        }
        let ask = CommandAsk(
            principal: principal, target: .pass(name, spoken: body.action, entityID: body.entityID),
            value: try GuestWire.value(body, for: name.verb),
            call: try request.callName(data), origin: context.origin, proof: request.proof(data, at: origins))
        switch try await hub.commands.submit(ask) {
        case .reading(let device, let entity):
            var answer = GuestActionAnswer(success: true)
            answer.action = body.action
            answer.entityID = entity.id
            answer.state = GuestWire.state(of: entity, device)
            return try .encoding(answer)
        case .command(let command, let isReplay):
            if command.isAsking { return try pending(until: command.life.notAfter, command: command) }
            return try GuestWire.outcome(try await hub.commands.outcome(of: command), isReplay: isReplay)
        }
    }

    /// Takes back what waits for somebody's yes.
    private func cancel(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(CancelActionBody.self)
        guard !body.commandID.isEmpty, body.commandID.utf8.count <= 128 else {
            throw Wire.Problem.field("command_id", "is empty or too long")
        }
        return try GuestWire.takenBack(try await hub.commands.takeBack(body.commandID, by: principal))
    }

    private func pending(until: Date, command: Command? = nil, phone: GuestAccess.Waiting? = nil) throws -> Response {
        var answer = GuestActionAnswer(success: false)
        answer.status = "pending_approval"
        // Phones are for those who let guests in, whoever answers at the doors.
        answer.message = (command == nil ? AskAnswerers.inviters : hub.house.now.preferences.asksAnsweredBy).sentence
        answer.retryAfter = 2
        answer.expiresAt = Int(until.timeIntervalSince1970)
        answer.commandID = command?.id
        answer.entityID = command?.entityID
        answer.action = command?.spoken
        answer.number = phone?.number
        answer.claimSecret = phone?.claimSecret?.reveal()
        var response = try Response.encoding(answer, status: .accepted)
        response.headers[.retryAfter] = "2"
        return response
    }
}
