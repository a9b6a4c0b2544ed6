import CardeaAPI
import CardeaSecurity
import Foundation

/// What a signed-in client holds: a token to ask with, and one to get the next.
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
        guard let refresh = answer.refreshToken else { throw .invalidResponse("it kept the refresh token to itself") }
        self.init(
            accessToken: Secret(answer.accessToken), refreshToken: Secret(refresh),
            expiresAt: now.addingTimeInterval(TimeInterval(answer.expiresIn)))
    }

    init(_ answer: PhoneTokensAnswer, at now: Date) {
        self.init(
            accessToken: Secret(answer.accessToken), refreshToken: Secret(answer.refreshToken),
            expiresAt: now.addingTimeInterval(TimeInterval(answer.expiresIn)))
    }

    /// Whether it is a phone's, which is renewed where phones are.
    var isPhone: Bool { refreshToken.hasPrefix(.phoneRefresh) }

    /// Whether the access token is good for another minute: long enough for a call that starts now.
    func isFresh(at now: Date) -> Bool { now.addingTimeInterval(60) < expiresAt }
}
