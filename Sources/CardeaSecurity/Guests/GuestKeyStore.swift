/// Stores the key of a guest's pass. Each use requires a new proof that the guest holds the phone: a program that skips the question has no
/// key, and opens nothing.
public protocol GuestKeyStore: Sendable {
    /// Keeps `key`, in place of the one before.
    func save(_ key: GuestKey) async throws

    /// Returns the key; nil if the person cancelled.
    ///
    /// - Parameter reason: the action that is confirmed, in the phone's words.
    /// - Throws: `SecretStoreError.notFound` if there is none.
    func unlock(_ reason: String) async throws -> GuestKey?

    /// Afterwards no key is kept; that there was none is no error.
    func delete() async throws
}
