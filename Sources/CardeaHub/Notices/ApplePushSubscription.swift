import CardeaSecurity
import Foundation

/// An app on a phone, as Apple's push service knows it.
public struct ApplePushSubscription: Sendable {
    /// Hexadecimal digits that Apple gave to the app.
    public let token: Secret
    /// nil for an app without keys: its push messages contain only the id of the event to fetch.
    public let keys: PushKeys?

    /// - Parameter token: 64 to 200 hexadecimal digits.
    /// - Returns: nil for an invalid token.
    public init?(token: String, keys: PushKeys?) {
        guard (64...200).contains(token.utf8.count), token.utf8.count.isMultiple(of: 2), token.utf8.allSatisfy(Self.isHexDigit) else {
            return nil
        }
        self.token = Secret(token.lowercased())
        self.keys = keys
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }
}
