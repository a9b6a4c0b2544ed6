import CardeaAPI
import CardeaHub
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/auth/passkeys`, `/recovery-codes` and `/recovery`: coming in without a password.
struct PasskeysController: Sendable {
    let hub: Hub
    let tokenEncoding: SessionTokenEncoding
    private var origins: HubOrigins { tokenEncoding.origins }

    func addRoutes(to table: RouteTable) {
        table.person(.registerPasskeyOptions, registerOptions)
        table.person(.registerPasskey, register)
        table.open(.passkeyLoginOptions, loginOptions)
        table.open(.passkeyLogin, login)
        table.person(.listPasskeys) { _, _, principal in
            try .encoding(PasskeysAnswer(passkeys: try await hub.passkeys.all(of: principal).map(PasskeyEncoding.answer)))
        }
        table.person(.renamePasskey) { request, context, principal in
            let name = try await request.decodeBody(RenamePasskeyBody.self).name
            return try .encoding(
                PasskeyEncoding.answer(try await hub.passkeys.rename(try context.id(), to: name, by: principal, origin: context.origin)))
        }
        table.person(.removePasskey) { _, context, principal in
            try await hub.passkeys.remove(try context.id(), by: principal, origin: context.origin)
            return .noContent
        }
        table.person(.showRecoveryCodes) { _, _, principal in
            let state = try await hub.recoveryCodes.state(of: principal)
            return try .encoding(RecoveryCodesAnswer(left: state.remaining, madeAt: state.madeAt))
        }
        table.person(.makeRecoveryCodes) { request, context, principal in
            _ = try await request.bodyData()
            let codes = try await hub.recoveryCodes.make(by: principal, origin: context.origin)
            return try .encoding(
                RecoveryCodesAnswer(left: codes.count, madeAt: hub.environment.now(), codes: codes.map(RecoveryCode.formatted)),
                status: .created)
        }
        table.open(.recover) { request, context in
            let body = try await request.decodeBody(RecoveryBody.self)
            let (cookie, origin) = try tokenEncoding.cookie(asked: body.cookie, by: request, context)
            return try tokenEncoding.response(try await hub.recoveryCodes.login(body.code, origin: origin), in: cookie, status: .ok)
        }
    }

    private func registerOptions(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bodyData()
        let party = try PasskeyEncoding.relyingParty(of: request, origins: origins)
        let creation = try await hub.passkeys.creationOptions(at: party, by: principal, origin: context.origin)
        return try .encoding(
            PasskeyOptionsAnswer(
                publicKey: PasskeyCreationOptions(
                    rpID: party.id, houseName: hub.house.current.name, handle: Base64URL.encode(creation.handle),
                    username: creation.username,
                    displayName: creation.displayName, challenge: Base64URL.encode(creation.challenge), algorithms: COSEKey.algorithms,
                    known: creation.excluded.map { PasskeyDescriptor(id: Base64URL.encode($0.credentialID), transports: $0.transports) })))
    }

    private func register(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(RegisterPasskeyBody.self)
        let party = try PasskeyEncoding.relyingParty(of: request, origins: origins)
        let made = try PasskeyEncoding.attestation(body.credential)
        let passkey = try await hub.passkeys.register(made, name: body.name, at: party, by: principal, origin: context.origin)
        return try .encoding(PasskeyEncoding.answer(passkey), status: .created)
    }

    private func loginOptions(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        _ = try await request.bodyData()
        let party = try PasskeyEncoding.relyingParty(of: request, origins: origins)
        let challenge = try await hub.passkeys.requestChallenge(at: party)
        return try .encoding(
            PasskeyOptionsAnswer(publicKey: PasskeyRequestOptions(challenge: Base64URL.encode(challenge), rpID: party.id)))
    }

    private func login(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(PasskeyLoginBody.self)
        let party = try PasskeyEncoding.relyingParty(of: request, origins: origins)
        let (cookie, origin) = try tokenEncoding.cookie(asked: body.cookie, by: request, context)
        let tokens = try await hub.passkeys.login(try PasskeyEncoding.assertion(body.credential), at: party, origin: origin)
        return try tokenEncoding.response(tokens, in: cookie, status: .ok)
    }
}

/// Passkeys on the wire.
enum PasskeyEncoding {
    /// The name under which the asking page is open. `HostValidationMiddleware` has seen to it that it is one of ours.
    static func relyingParty(of request: Request, origins: HubOrigins) throws -> RelyingParty {
        // A proxy may call us by another name than the page was opened with; then the page's own address says it.
        let host = origins.isPublic(request.headers[.origin]) ? origins.publicHost : WebOrigin.authority(request.head.authority ?? "")?.host
        guard let id = host, !isAddress(id) else {
            throw APIResponseError(
                .conflict, "passkeys_need_a_name",
                "Browsers tie passkeys to a name, not to a number. Open the house by its name; on this machine, by localhost.")
        }
        return RelyingParty(id: id, origins: origins.origins(of: id))
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
    }

    static func attestation(_ body: PasskeyAttestationBody) throws -> Passkeys.Attestation {
        Passkeys.Attestation(
            clientDataJSON: try bytes(body.response.clientDataJSON, "clientDataJSON"),
            attestationObject: try bytes(body.response.attestationObject, "attestationObject"), transports: body.response.transports ?? [])
    }

    static func assertion(_ body: PasskeyAssertionBody) throws -> Passkeys.Assertion {
        Passkeys.Assertion(
            credentialID: try bytes(body.id, "id"), clientDataJSON: try bytes(body.response.clientDataJSON, "clientDataJSON"),
            authenticatorData: try bytes(body.response.authenticatorData, "authenticatorData"),
            signature: try bytes(body.response.signature, "signature"),
            userHandle: try body.response.userHandle.map { try bytes($0, "userHandle") })
    }

    static func bytes(_ text: String, _ field: String) throws -> Data {
        guard let data = Base64URL.decode(text) else {
            throw APIResponseError.validation("credential.\(field)", "is base64url without padding")
        }
        return data
    }

    static func answer(_ passkey: Passkey) -> PasskeyAnswer {
        PasskeyAnswer(
            passkeyID: passkey.id, name: passkey.name, rpID: passkey.rpID, backedUp: passkey.isBackedUp, createdAt: passkey.createdAt,
            lastUsedAt: passkey.lastUsedAt, endedAt: passkey.endedAt, endReason: passkey.endReason)
    }
}
