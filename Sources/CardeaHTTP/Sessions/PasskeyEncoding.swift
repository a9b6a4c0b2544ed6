import CardeaAPI
import CardeaHub
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// Passkeys on the wire.
enum PasskeyEncoding {
    /// The name under which the asking page is open. `HostValidationMiddleware` has seen to it that it is one of ours.
    static func relyingParty(of request: Request, origins: HubOrigins) throws -> RelyingParty {
        // A proxy may use another host name than the page; then the page's own origin counts.
        let host = origins.isPublic(request.headers[.origin]) ? origins.publicHost : WebOrigin.authority(request.head.authority ?? "")?.host
        guard let id = host, !isAddress(id) else {
            throw APIResponseError(
                .conflict, "passkeys_need_a_name",
                "Passkeys need a host name, not an IP address. Open the house by its name, or by localhost on the hub's own machine.")
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
            throw APIResponseError.validation("credential.\(field)", "must be base64url without padding")
        }
        return data
    }

    static func answer(_ passkey: Passkey) -> PasskeyAnswer {
        PasskeyAnswer(
            passkeyID: passkey.id, name: passkey.name, rpID: passkey.rpID, backedUp: passkey.isBackedUp, createdAt: passkey.createdAt,
            lastUsedAt: passkey.lastUsedAt, endedAt: passkey.endedAt, endReason: passkey.endReason)
    }
}
