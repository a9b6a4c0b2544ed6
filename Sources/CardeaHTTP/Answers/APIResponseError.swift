import CardeaModel
import HTTPTypes

/// An error as a client may see it: one internal form, written differently in each family.
struct APIResponseError: Error {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    var details: [String: JSONValue] = [:]
    /// Whole seconds.
    var retryAfter: Int?
    /// For 401: the OAuth error word, if a token was sent.
    var challenge: Challenge?
    var allowedMethods: [String] = []
    /// The number of tries left.
    var rateLimitFields: HTTPFields = [:]
    /// To be signed by the key of a browser's session (RFC 9449, section 8).
    var nonce: String?
    /// The current version, for its entity tag.
    var version: Int?
    /// True if the same `Idempotency-Key` got this answer before.
    var isReplay = false

    enum Challenge: String {
        case bare = ""
        case invalidToken = "invalid_token"
        case insufficientScope = "insufficient_scope"

        /// The value of `WWW-Authenticate`.
        var headerValue: String {
            let error = self == .bare ? "" : ", error=\"\(rawValue)\""
            return "Bearer realm=\"cardea\"\(error)"
        }
    }

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, details: [String: JSONValue] = [:], retryAfter: Int? = nil,
        challenge: Challenge? = nil, allow: [String] = []
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.retryAfter = retryAfter
        self.challenge = challenge
        self.allowedMethods = allow
    }

    static let unauthorized = APIResponseError(
        .unauthorized, "unauthorized", "Sign in to do this: send an access token in the Authorization header.", challenge: .bare)
    static let notFound = APIResponseError(.notFound, "not_found", "Not found, or not visible to you. Check the address and the id.")

    func replayed(_ isReplay: Bool) -> APIResponseError {
        var problem = self
        problem.isReplay = isReplay
        return problem
    }

    static func validation(_ field: String, _ message: String) -> APIResponseError {
        APIResponseError(.badRequest, "validation_error", "\(field): \(message)", details: ["field": .string(field)])
    }

    static func rateLimited(_ seconds: Double) -> APIResponseError {
        let wait = max(1, Int(seconds.rounded(.up)))
        return APIResponseError(.tooManyRequests, "rate_limited", "Too many attempts. Try again in \(wait) s.", retryAfter: wait)
    }
}
