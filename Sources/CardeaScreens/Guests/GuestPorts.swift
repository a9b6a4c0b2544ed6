import CardeaSecurity

/// Where the token of a guest's pass is kept: the keychain of a phone.
public protocol SecureTokenStore: Sendable {
    func save(_ token: Secret) async throws
    func load() async throws -> Secret?
    func delete() async throws
}

/// Asks whoever holds the phone to show that it is theirs.
public protocol PresenceVerifier: Sendable {
    /// - Parameter reason: what is confirmed, as the phone says it.
    func confirm(_ reason: String) async -> Bool
}
