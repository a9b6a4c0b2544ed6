import CardeaSecurity
import Foundation

/// The secrets of one folder in the best place there is. Where a keyring is there and does not take one, as while it is locked, that one
/// lies in the sealed file until the keyring does; what lies there is therefore always the newer.
struct FallbackSecretStore: Sendable {
    private let folder: URL
    private let preferredStore: any SecretStore
    private let fallbackStore: SealedFileStore
    private let warn: @Sendable (String) -> Void

    init(folder: URL, environment: [String: String], patience: Duration, warn: @escaping @Sendable (String) -> Void) async {
        self.folder = folder
        self.warn = warn
        preferredStore = await SecretStoreSelection.best(folder: folder, environment: environment, patience: patience)
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
            warn("\(error) Until then your tokens lie in \(folder.path), sealed by a key that lies beside them.")
            return
        }
        if isFirst, case .reduced(let warning) = preferredStore.protection { warn(warning) }
    }

    /// Takes away what nobody asks for any more. Where the keyring is closed it stays there, of no use to anybody: its session has ended.
    func delete(_ name: String) async {
        for store in [preferredStore, fallbackStore] { try? await store.delete(qualifiedName(name)) }
    }
}

extension SecretStoreError {
    /// Whether the store is there and does not let anybody in just now.
    fileprivate var isInaccessible: Bool {
        switch self {
        case .locked, .denied, .unavailable: true
        case .notFound, .unexpectedStatus, .corrupted: false
        }
    }
}
