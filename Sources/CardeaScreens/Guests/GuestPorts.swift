import CardeaSecurity

/// Stores the token of a guest's pass: the keychain of a phone.
public protocol SecureTokenStore: Sendable {
    func save(_ token: Secret) async throws
    func load() async throws -> Secret?
    func delete() async throws
}

/// Asks the person holding the phone to prove that they are its user.
public protocol PresenceVerifier: Sendable {
    /// - Parameter reason: the text that the phone shows.
    func confirm(_ reason: String) async -> Bool
}
