/// `GET /api/v1/claim`
public struct ClaimState: Codable, Sendable {
    public let claimed: Bool

    public init(claimed: Bool) { self.claimed = claimed }
}

/// `POST /api/v1/claim`
public struct ClaimBody: WireFormat.Body, Encodable, Sendable {
    public var claimToken: String
    public var username: String
    public var password: String
    public var houseName: String
    /// IANA name; the machine's own when left out.
    public var timeZone: String?
    /// The owner's name as shown; the username when left out.
    public var name: String?
    public var cookie: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case username, password, name, cookie
        case claimToken = "claim_token"
        case houseName = "house_name"
        case timeZone = "time_zone"
    }

    public init(claimToken: String, username: String, password: String, houseName: String, timeZone: String? = nil, name: String? = nil) {
        self.claimToken = claimToken
        self.username = username
        self.password = password
        self.houseName = houseName
        self.timeZone = timeZone
        self.name = name
    }
}

/// `POST /api/v1/auth/login`
public struct LoginBody: WireFormat.Body, Encodable, Sendable {
    public var username: String
    public var password: String
    /// True if the refresh token goes into a cookie instead of the body.
    public var cookie: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable { case username, password, cookie }

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

/// `POST /api/v1/auth/refresh` and `/logout`
public struct RefreshBody: WireFormat.Body, Encodable, Sendable {
    public var refreshToken: String?

    public enum CodingKeys: String, CodingKey, CaseIterable { case refreshToken = "refresh_token" }

    public init(refreshToken: String?) { self.refreshToken = refreshToken }
}

/// The answer to claim, login, refresh and accepting an invitation.
public struct TokensAnswer: Codable, Sendable {
    public let accessToken: String
    /// nil if it was set as a cookie.
    public let refreshToken: String?
    public let tokenType: String
    /// Seconds the access token is good for.
    public let expiresIn: Int

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
    }

    public init(accessToken: String, refreshToken: String?, expiresIn: Int) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.tokenType = "Bearer"
        self.expiresIn = expiresIn
    }
}
