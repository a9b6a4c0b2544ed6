import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/claim` and `/api/v1/auth`: coming in and going out.
struct SessionsHarness: Sendable {
    let hub: Hub
    let wire: SessionWire

    func add(to table: RouteTable) {
        table.open(.claimState) { _, _ in try .encoding(ClaimState(claimed: hub.house.now.isClaimed)) }
        table.open(.claim, claim)
        table.open(.login, login)
        table.open(.refresh, refresh)
        table.open(.logout, logout)
    }

    private func claim(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(ClaimBody.self)
        if let zone = body.timeZone, ZoneName.zone(zone) == nil {
            throw Problem.validation("time_zone", "is not an IANA time zone such as Europe/Berlin")
        }
        let (cookie, origin) = try wire.cookie(asked: body.cookie, by: request, context)
        let tokens = try await hub.people.claim(
            .init(
                token: Secret(body.claimToken), username: body.username, password: Secret(body.password), name: body.name,
                houseName: body.houseName, timeZone: body.timeZone), origin: origin)
        return try wire.answer(tokens, in: cookie, status: .created)
    }

    private func login(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(LoginBody.self)
        let (cookie, origin) = try wire.cookie(asked: body.cookie, by: request, context)
        let tokens = try await hub.sessions.login(username: body.username, password: Secret(body.password), origin: origin)
        return try wire.answer(tokens, in: cookie, status: .ok)
    }

    private func refresh(_ request: Request, _ context: HouseContext) async throws -> Response {
        if let token = try await request.refreshToken() {
            return try wire.answer(try await hub.sessions.refresh(token, origin: context.origin), in: nil, status: .ok)
        }
        guard let (proof, cookie) = try wire.proof(of: request, context) else { throw Problem.proofRequired }
        guard let token = request.cookies[cookie.name].map({ Secret($0.value) }) else { throw Sessions.Problem.unauthorized }
        let holder = Sessions.Holder.browser(keyThumbprint: proof.thumbprint, nonce: proof.nonce)
        return try wire.answer(try await hub.sessions.refresh(token, of: holder, origin: context.origin), in: cookie, status: .ok)
    }

    private func logout(_ request: Request, _ context: HouseContext) async throws -> Response {
        let shown = try wire.proof(of: request, context)
        if let token = try await request.refreshToken() {
            try await hub.sessions.logout(refresh: token, origin: context.origin)
        } else if let access = try request.bearer() {
            let principal = try await hub.sessions.authenticate(access, origin: context.origin)
            try await hub.sessions.logout(principal, origin: context.origin)
        } else if let (proof, cookie) = shown, let token = request.cookies[cookie.name] {
            try await hub.sessions.logout(refresh: Secret(token.value), keyThumbprint: proof.thumbprint, origin: context.origin)
        }
        var response = Response.noContent
        if let cookie = shown?.cookie { response.headers[.setCookie] = wire.text(of: cookie, "", lasts: 0) }
        return response
    }
}

extension Request {
    /// The refresh token in the body, as terminals, phones and programs show it; nil where there is none.
    fileprivate func refreshToken() async throws -> Secret? {
        let data = try await jsonBytes()
        return data.isEmpty ? nil : try Wire.readBody(RefreshBody.self, from: data).refreshToken.map { Secret($0) }
    }
}

extension Problem {
    fileprivate static let proofRequired = Problem(
        .unauthorized, "dpop_proof_required",
        "The session of a browser is bound to a key of that browser, and nothing here shows that you have it. Sign in again.",
        challenge: .bare)
}
