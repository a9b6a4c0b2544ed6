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
