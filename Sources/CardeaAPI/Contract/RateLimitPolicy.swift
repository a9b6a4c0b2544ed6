import CardeaModel

/// The number of free wrong tries, as a client reads it in `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10).
public struct RateLimitPolicy: Hashable, Sendable {
    public let name: String
    /// Wrong tries that cost nothing.
    public let quota: Int
    /// Seconds without one after which the count is reset.
    public let window: Int

    init(_ name: String, _ throttle: Throttle) {
        self.name = name
        quota = throttle.freeAttempts
        window = Int(throttle.resetAfter)
    }

    /// Wrong passwords and recovery codes.
    public static let password = RateLimitPolicy("password", .password)
    /// Wrong guest codes.
    public static let pairing = RateLimitPolicy("pairing", .codePerAddress)
    /// Phones that ask to be paired.
    public static let phonePairingRequests = RateLimitPolicy("phone_asks", .phonePairingRequests)
    /// Wrong digits of a phone's pairing. The number that is left is not reported: it would show which were wrong.
    public static let phonePairingCodes = RateLimitPolicy("phone_digits", .phoneDigits)
    /// Unknown tokens.
    public static let unknownTokens = RateLimitPolicy("strangers", .unknownTokens)

    /// `"password";q=5;w=3600`
    public var field: String { "\"\(name)\";q=\(quota);w=\(window)" }

    /// `"password";r=0;t=12`: how many tries are left, and after how many seconds there are more.
    public func field(left: Int, after seconds: Int) -> String { "\"\(name)\";r=\(left);t=\(seconds)" }
}
