import Synchronization

/// A secret that lives in a store and is at hand in memory.
///
/// A property can neither wait nor fail, and a store does both. So the property is what was last loaded or saved here, and
/// `$property` speaks with the store:
///
/// ```swift
/// struct LoginSession {
///     @StoredSecret var refreshToken: Secret?
///
///     init(store: any SecretStore) {
///         _refreshToken = StoredSecret("refresh-token", in: store)
///     }
/// }
///
/// try await session.$refreshToken.load()
/// session.refreshToken?.reveal()
/// try await session.$refreshToken.save(Secret("…"))
/// ```
///
/// Copies of it share what is at hand.
@propertyWrapper
public struct StoredSecret: Sendable {
    private final class MemoryCopy: Sendable {
        let secret = Mutex<Secret?>(nil)
    }

    private let name: String
    private let store: any SecretStore
    private let use: SecretAvailability
    private let copy = MemoryCopy()

    public init(_ name: String, in store: any SecretStore, for use: SecretAvailability = .background) {
        self.name = name
        self.store = store
        self.use = use
    }

    /// The secret that was last loaded or saved; nil before the first `load`, and where there is none.
    public var wrappedValue: Secret? { copy.secret.withLock { $0 } }

    public var projectedValue: StoredSecret { self }

    /// Loads it from the store; nil if none is stored. If the store fails, the value in memory stays.
    @discardableResult
    public func load() async throws(SecretStoreError) -> Secret? {
        let secret: Secret?
        do {
            secret = try await store.load(name)
        } catch .notFound {
            secret = nil
        }
        copy.secret.withLock { $0 = secret }
        return secret
    }

    /// Stores it, and then keeps it in memory.
    public func save(_ secret: Secret) async throws(SecretStoreError) {
        try await store.save(secret, as: name, for: use)
        copy.secret.withLock { $0 = secret }
    }

    /// Takes it out of the store, and out of hand once it is gone there.
    public func delete() async throws(SecretStoreError) {
        try await store.delete(name)
        copy.secret.withLock { $0 = nil }
    }
}
