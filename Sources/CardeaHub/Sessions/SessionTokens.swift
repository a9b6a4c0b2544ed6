import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The tokens of a signed-in person. The access token proves their identity for an hour; the refresh token is exchanged once for the next
/// pair.
public struct SessionTokens: Sendable {
    public let access: Secret
    public let refresh: Secret
    /// Seconds the access token is good for.
    public let expiresIn: Int
    /// The hub's name for the phone that holds them; nil if it is none.
    public var phoneID: String?

    /// The nonce that a browser signs to use this refresh token, so that a proof for the previous one is not valid for it. It is not
    /// secret.
    public var nonce: String { Self.nonce(of: refresh) }

    static func nonce(of refresh: Secret) -> String { Base64URL.encode(Secret("nonce:\(refresh.reveal())").digest) }
}
