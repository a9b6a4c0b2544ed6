import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/claim` and `/api/v1/auth`: coming in and going out.
struct SessionsController: Sendable {
    let hub: Hub
    let tokenEncoding: SessionTokenEncoding

    func addRoutes(to table: RouteTable) {
        table.open(.claimState) { _, _ in try .encoding(ClaimState(claimed: hub.house.current.isClaimed)) }
        table.open(.claim, claim)
        table.open(.login, login)
        table.open(.refresh, refresh)
        table.open(.logout, logout)
    }

    private func claim(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(ClaimBody.self)
        if let zone = body.timeZone, TimeZoneName.zone(zone) == nil {
            throw APIResponseError.validation("time_zone", "must be an IANA time zone such as Europe/Berlin")
        }
        let (cookie, origin) = try tokenEncoding.cookie(asked: body.cookie, by: request, context)
        let tokens = try await hub.people.claim(
            .init(
                token: Secret(body.claimToken), username: body.username, password: Secret(body.password), name: body.name,
                houseName: body.houseName, timeZone: body.timeZone), origin: origin)
        return try tokenEncoding.response(tokens, in: cookie, status: .created)
    }

    private func login(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(LoginBody.self)
        let (cookie, origin) = try tokenEncoding.cookie(asked: body.cookie, by: request, context)
        let tokens = try await hub.sessions.login(username: body.username, password: Secret(body.password), origin: origin)
        return try tokenEncoding.response(tokens, in: cookie, status: .ok)
    }

    private func refresh(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        if let token = try await request.refreshToken() {
            return try tokenEncoding.response(try await hub.sessions.refresh(token, origin: context.origin), in: nil, status: .ok)
        }
        guard let (proof, cookie) = try tokenEncoding.proof(of: request, context) else { throw APIResponseError.dpopProofRequired }
        guard let token = request.cookies[cookie.name].map({ Secret($0.value) }) else { throw Sessions.SessionError.unauthorized }
        let holder = Sessions.TokenHolder.browser(keyThumbprint: proof.thumbprint, nonce: proof.nonce)
        return try tokenEncoding.response(
            try await hub.sessions.refresh(token, of: holder, origin: context.origin), in: cookie, status: .ok)
    }

    private func logout(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let proof = try tokenEncoding.proof(of: request, context)
        if let token = try await request.refreshToken() {
            try await hub.sessions.logout(refresh: token, origin: context.origin)
        } else if let access = try request.bearerToken() {
            let principal = try await hub.sessions.authenticate(access, origin: context.origin)
            try await hub.sessions.logout(principal, origin: context.origin)
        } else if let (proof, cookie) = proof, let token = request.cookies[cookie.name] {
            try await hub.sessions.logout(refresh: Secret(token.value), keyThumbprint: proof.thumbprint, origin: context.origin)
        }
        var response = Response.noContent
        if let cookie = proof?.cookie { response.headers[.setCookie] = tokenEncoding.cookieHeader(of: cookie, "", lasts: 0) }
        return response
    }
}

extension Request {
    /// The refresh token in the body, as terminals, phones and programs show it; nil if there is none.
    fileprivate func refreshToken() async throws -> Secret? {
        let data = try await jsonBody()
        return data.isEmpty ? nil : try WireFormat.readBody(RefreshBody.self, from: data).refreshToken.map { Secret($0) }
    }
}

extension APIResponseError {
    fileprivate static let dpopProofRequired = APIResponseError(
        .unauthorized, "dpop_proof_required",
        "The DPoP header is missing or not from the browser that signed in. Sign in again.",
        challenge: .bare)
}
