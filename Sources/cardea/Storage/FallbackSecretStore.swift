import CardeaSecurity
import Foundation

/// The secrets of one folder in the best store available. If a keyring does not accept a secret, as while it is locked, the secret is in
/// the sealed file until the keyring accepts it; a secret in the file is therefore always the newer one.
struct FallbackSecretStore: Sendable {
    private let folder: URL
    private let preferredStore: any SecretStore
    private let fallbackStore: SealedFileStore
    private let warn: @Sendable (String) -> Void

    init(folder: URL, environment: [String: String], timeout: Duration, warn: @escaping @Sendable (String) -> Void) async {
        self.folder = folder
        self.warn = warn
        preferredStore = await SecretStoreSelection.best(folder: folder, environment: environment, timeout: timeout)
        fallbackStore = SealedFileStore(folder: folder, environment: environment)
    }

    /// A keyring may hold the secrets of several folders.
    private func qualifiedName(_ name: String) -> String { "\(name) \(folder.standardizedFileURL.path)" }

    func load(_ name: String) async throws(SecretStoreError) -> Secret {
        if !(preferredStore is SealedFileStore), !fallbackStore.isNew, let secret = try? await fallbackStore.load(qualifiedName(name)) {
            return secret
        }
        return try await preferredStore.load(qualifiedName(name))
    }

    func save(_ secret: Secret, as name: String) async throws(SecretStoreError) {
        let isFirst = fallbackStore.isNew
        do {
            try await preferredStore.save(secret, as: qualifiedName(name), for: .background)
        } catch {
            guard !(preferredStore is SealedFileStore), error.isInaccessible else { throw error }
            try await fallbackStore.save(secret, as: qualifiedName(name), for: .background)
            warn("\(error) Until then your tokens are stored in \(folder.path), encrypted with a key in the same folder.")
            return
        }
        if isFirst, case .reduced(let warning) = preferredStore.protection { warn(warning) }
    }

    /// Deletes a secret that is no longer needed. In a locked keyring it stays, which does no harm: its session has ended.
    func delete(_ name: String) async {
        for store in [preferredStore, fallbackStore] { try? await store.delete(qualifiedName(name)) }
    }
}

extension SecretStoreError {
    /// True if the secret store exists but cannot be opened at present.
    fileprivate var isInaccessible: Bool {
        switch self {
        case .locked, .denied, .unavailable: true
        case .notFound, .unexpectedStatus, .corrupted: false
        }
    }
}
