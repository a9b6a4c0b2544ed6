import CardeaAPI
import CardeaHub
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/claim` and `/api/v1/auth`: coming in and going out.
struct SessionsHarness: Sendable {
    let hub: Hub
    let address: PublicAddress

    func add(to table: RouteTable) {
        table.open(.claimState) { _, _ in try .encoding(ClaimState(claimed: hub.house.now.isClaimed)) }
        table.open(.claim, claim)
        table.open(.login, login)
        table.open(.refresh, refresh)
        table.open(.logout, logout)
    }

    private func claim(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(ClaimBody.self)
        if let zone = body.timeZone, TimeZone(identifier: zone) == nil {
            throw Problem.validation("time_zone", "is not an IANA time zone such as Europe/Berlin")
        }
        let tokens = try await hub.people.claim(
            .init(
                token: Secret(body.claimToken), username: body.username, password: Secret(body.password), name: body.name,
                houseName: body.houseName, timeZone: body.timeZone), origin: context.origin)
        return try SessionWire.answer(tokens, cookie: body.cookie ?? false, status: .created, address: address)
    }

    private func login(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(LoginBody.self)
        let tokens = try await hub.sessions.login(username: body.username, password: Secret(body.password), origin: context.origin)
        return try SessionWire.answer(tokens, cookie: body.cookie ?? false, status: .ok, address: address)
    }

    private func refresh(_ request: Request, _ context: HouseContext) async throws -> Response {
        let (token, fromCookie) = try await refreshToken(request)
        guard let token else { throw Problem.unauthorized }
        let tokens = try await hub.sessions.refresh(token, origin: context.origin)
        return try SessionWire.answer(tokens, cookie: fromCookie, status: .ok, address: address)
    }

    private func logout(_ request: Request, _ context: HouseContext) async throws -> Response {
        let (token, _) = try await refreshToken(request)
        if let token {
            try await hub.sessions.logout(refresh: token, origin: context.origin)
        } else if let access = try request.bearer() {
            let principal = try await hub.sessions.authenticate(access, origin: context.origin)
            try await hub.sessions.logout(principal, origin: context.origin)
        }
        var response = Response.noContent
        response.headers[.setCookie] = SessionWire.cookie("", lasts: 0, address: address)
        return response
    }

    private func refreshToken(_ request: Request) async throws -> (token: Secret?, fromCookie: Bool) {
        let data = try await request.jsonBytes()
        if !data.isEmpty, let token = try Wire.readBody(RefreshBody.self, from: data).refreshToken { return (Secret(token), false) }
        return (request.cookies[SessionWire.cookieName].map { Secret($0.value) }, true)
    }
}

/// Tokens on the wire: all in the body, or the refresh token in a cookie that no script can read.
enum SessionWire {
    static let cookieName = "cardea_refresh"

    static func answer(_ tokens: SessionTokens, cookie: Bool, status: HTTPResponse.Status, address: PublicAddress) throws -> Response {
        var response = try Response.encoding(
            TokensAnswer(
                accessToken: tokens.access.reveal(), refreshToken: cookie ? nil : tokens.refresh.reveal(), expiresIn: tokens.expiresIn),
            status: status)
        if cookie { response.headers[.setCookie] = Self.cookie(tokens.refresh.reveal(), lasts: 30 * 86_400, address: address) }
        return response
    }

    /// Sent back to `/api/v1/auth` alone, never with a page of another site, and only over TLS where the house has it.
    static func cookie(_ value: String, lasts: Int, address: PublicAddress) -> String {
        let secure = address.text.hasPrefix("https:") ? "; Secure" : ""
        return "\(cookieName)=\(value); Path=/api/v1/auth; Max-Age=\(lasts); HttpOnly; SameSite=Strict\(secure)"
    }
}
