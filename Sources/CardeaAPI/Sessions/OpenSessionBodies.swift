import CardeaModel
import Foundation

/// One session, as its owner knows it.
public struct OpenSessionAnswer: Codable, Sendable {
    public let sessionID: String
    /// In words: `Firefox on Linux`.
    public let device: String
    /// `local network`, or the address it came from; nil if that is not known.
    public let place: String?
    public let signedInBy: SignInMethod
    public let createdAt: Date
    public let lastUsedAt: Date
    public let expiresAt: Date
    /// True if it is the session that asks.
    public let current: Bool

    enum CodingKeys: String, CodingKey {
        case device, place, current
        case sessionID = "session_id"
        case signedInBy = "signed_in_by"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case expiresAt = "expires_at"
    }

    public init(
        sessionID: String, device: String, place: String?, signedInBy: SignInMethod, createdAt: Date, lastUsedAt: Date, expiresAt: Date,
        current: Bool
    ) {
        self.sessionID = sessionID
        self.device = device
        self.place = place
        self.signedInBy = signedInBy
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.current = current
    }
}

public struct OpenSessionsAnswer: Codable, Sendable {
    public let sessions: [OpenSessionAnswer]
    public let total: Int

    public init(sessions: [OpenSessionAnswer]) {
        self.sessions = sessions
        total = sessions.count
    }
}

/// `POST /api/v1/auth/sessions/revoke-all`
public struct RevokeSessionsBody: WireFormat.Body, Encodable, Sendable {
    /// True when left out.
    public var keepCurrent: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable { case keepCurrent = "keep_current" }

    public init(keepCurrent: Bool? = nil) { self.keepCurrent = keepCurrent }
}

/// `POST /api/v1/auth/step-up`: a password, or a passkey's answer.
public struct StepUpBody: WireFormat.Body, Encodable, Sendable {
    public var password: String?
    public var credential: PasskeyAssertionBody?

    public enum CodingKeys: String, CodingKey, CaseIterable { case password, credential }

    public init(password: String) { self.password = password }
}

public struct StepUpAnswer: Codable, Sendable {
    /// Until when this session may do what asks for a step-up.
    public let until: Date

    public init(until: Date) { self.until = until }
}
