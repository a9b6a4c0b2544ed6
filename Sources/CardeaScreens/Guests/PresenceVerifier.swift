import CardeaSecurity

/// Asks the person holding the phone to prove that they are its user.
public protocol PresenceVerifier: Sendable {
    /// - Parameter reason: the text that the phone shows.
    func confirm(_ reason: String) async -> Bool
}
