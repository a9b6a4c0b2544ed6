import CardeaAPI
import CardeaHub
import CardeaSecurity
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Tokens on the wire: all in the body, or the refresh token in a cookie that no script can read.
///
/// A cookie goes to every port of its host. So the session is bound to a key that pages of this one origin have, and each refresh is signed
/// by it (RFC 9449): another program that receives the cookie can do nothing with it.
struct SessionTokenEncoding: Sendable {
    let address: CurrentPublicURL
    let origins: HubOrigins

    /// The cookie of one origin. Two on one host do not overwrite each other's.
    struct Cookie: Sendable {
        let name: String

        init(of page: WebOrigin) {
            let digest = SHA256.hash(data: Data(page.text.utf8)).prefix(8)
            name = "cardea_refresh_\(Hexadecimal.encode(digest))"
        }
    }

    /// The proof that came with a request, and the cookie of the page that made it; nil if none came, and if cookies are not taken.
    ///
    /// - Throws: if it is no proof, or is for another request.
    func proof(of request: Request, _ context: HubRequestContext) throws -> (proof: DPoPProof, cookie: Cookie)? {
        guard context.acceptsCookies else { return nil }
        let fields = request.headers[values: .dpop]
        guard let field = fields.first else { return nil }
        guard fields.count == 1, let proof = try? DPoPProof(field), proof.method == request.method.rawValue,
            let page = WebOrigin(proof.url), page.text + request.uri.path == proof.url,
            origins.isSameOrigin(page.text, asking: request.head.authority ?? "")
        else {
            throw APIResponseError(
                .badRequest, "invalid_dpop_proof",
                "The DPoP proof is not valid for this request. Check its key, htm (the method) and htu (the URL).")
        }
        return (proof, Cookie(of: page))
    }

    /// The cookie that a person asks for when signing in, and their origin with the key that it is bound to.
    func cookie(asked: Bool?, by request: Request, _ context: HubRequestContext) throws -> (Cookie?, RequestOrigin) {
        guard asked == true else { return (nil, context.origin) }
        guard context.acceptsCookies else {
            throw APIResponseError.validation(
                "cookie", "is accepted below /api/v1 only. Leave it out: the refresh token is in the body of the answer")
        }
        guard let (proof, cookie) = try proof(of: request, context) else {
            throw APIResponseError.validation("cookie", "needs a DPoP header. Reload the page")
        }
        var origin = context.origin
        origin.keyThumbprint = proof.thumbprint
        return (cookie, origin)
    }

    func response(_ tokens: SessionTokens, in cookie: Cookie?, status: HTTPResponse.Status) throws -> Response {
        var response = try Response.encoding(
            TokensAnswer(
                accessToken: tokens.access.reveal(), refreshToken: cookie == nil ? tokens.refresh.reveal() : nil,
                expiresIn: tokens.expiresIn), status: status)
        if let cookie {
            response.headers[.setCookie] = cookieHeader(of: cookie, tokens.refresh.reveal(), lasts: 30 * 86_400)
            response.headers[.dpopNonce] = tokens.nonce
        }
        return response
    }

    /// Sent back to `/api/v1/auth` alone, never with a page of another site, and only over TLS where the house has it.
    func cookieHeader(of cookie: Cookie, _ value: String, lasts: Int) -> String {
        let secure = address.text.hasPrefix("https:") ? "; Secure" : ""
        return "\(cookie.name)=\(value); Path=/api/v1/auth; Max-Age=\(lasts); HttpOnly; SameSite=Strict\(secure)"
    }
}
