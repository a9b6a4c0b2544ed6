import CardeaSecurity

/// Stores the token of a guest's pass: the keychain of a phone.
public protocol SecureTokenStore: Sendable {
    func save(_ token: Secret) async throws
    func load() async throws -> Secret?
    func delete() async throws
}
