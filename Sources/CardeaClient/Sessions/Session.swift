import CardeaAPI
import CardeaSecurity
import Foundation

/// The session of a signed-in client: an access token, and a refresh token that gets the next one.
public struct Session: Sendable {
    public let accessToken: Secret
    public let refreshToken: Secret
    /// By this machine's clock.
    public let expiresAt: Date

    public init(accessToken: Secret, refreshToken: Secret, expiresAt: Date) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
    }

    init(_ answer: TokensAnswer, at now: Date) throws(ClientError) {
        guard let refresh = answer.refreshToken else { throw .invalidResponse("the refresh token is missing") }
        self.init(
            accessToken: Secret(answer.accessToken), refreshToken: Secret(refresh),
            expiresAt: now.addingTimeInterval(TimeInterval(answer.expiresIn)))
    }

    init(_ answer: PhoneTokensAnswer, at now: Date) {
        self.init(
            accessToken: Secret(answer.accessToken), refreshToken: Secret(answer.refreshToken),
            expiresAt: now.addingTimeInterval(TimeInterval(answer.expiresIn)))
    }

    /// True for a phone's session, which is refreshed at the endpoint for phones.
    var isPhone: Bool { refreshToken.hasPrefix(.phoneRefresh) }

    /// True if the access token is valid for at least another 60 seconds: long enough for a call that starts now.
    func isFresh(at now: Date) -> Bool { now.addingTimeInterval(60) < expiresAt }
}
