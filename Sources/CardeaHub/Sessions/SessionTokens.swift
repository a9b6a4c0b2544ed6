import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// What a person holds after signing in. The access token proves who they are for an hour; the refresh token gets the next one, once.
public struct SessionTokens: Sendable {
    public let access: Secret
    public let refresh: Secret
    /// Seconds the access token is good for.
    public let expiresIn: Int
    /// The hub's name for the phone that holds them; nil where it is none.
    public var phoneID: String?

    /// What a browser signs to show this refresh token: a proof for the one before it is none for this one. It is no secret.
    public var nonce: String { Self.nonce(of: refresh) }

    static func nonce(of refresh: Secret) -> String { Base64URL.encode(Secret("nonce:\(refresh.reveal())").digest) }
}
