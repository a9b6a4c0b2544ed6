/// Where the key of a guest's pass lies. It is given out to who shows that they hold the phone, each time anew: a program that leaves the
/// question out has no key, and opens nothing.
public protocol GuestKeyStore: Sendable {
    /// Keeps `key`, in place of the one before.
    func save(_ key: GuestKey) async throws

    /// The key; nil where whoever was asked broke it off.
    ///
    /// - Parameter reason: what is confirmed, as the phone says it.
    /// - Throws: `SecretStoreError.notFound` where there is none.
    func unlock(_ reason: String) async throws -> GuestKey?

    /// Afterwards no key is kept; that there was none is no error.
    func delete() async throws
}
