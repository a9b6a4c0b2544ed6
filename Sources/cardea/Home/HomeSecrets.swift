import CardeaSecurity
import Foundation

/// The secrets of one folder in the best place there is. Where a keyring is there and does not take one, as while it is locked, that one
/// lies in the sealed file until the keyring does; what lies there is therefore always the newer.
struct HomeSecrets: Sendable {
    private let folder: URL
    private let best: any SecretStore
    private let file: SealedFileStore
    private let warn: @Sendable (String) -> Void

    init(folder: URL, environment: [String: String], patience: Duration, warn: @escaping @Sendable (String) -> Void) async {
        self.folder = folder
        self.warn = warn
        best = await SecretStores.best(folder: folder, environment: environment, patience: patience)
        file = SealedFileStore(folder: folder, environment: environment)
    }

    /// A keyring may hold the secrets of several folders.
    private func place(_ name: String) -> String { "\(name) \(folder.standardizedFileURL.path)" }

    func load(_ name: String) async throws(SecretStoreError) -> Secret {
        if !(best is SealedFileStore), !file.isNew, let secret = try? await file.load(place(name)) { return secret }
        return try await best.load(place(name))
    }

    func save(_ secret: Secret, as name: String) async throws(SecretStoreError) {
        let isFirst = file.isNew
        do {
            try await best.save(secret, as: place(name), for: .background)
        } catch {
            guard !(best is SealedFileStore), error.isClosedDoor else { throw error }
            try await file.save(secret, as: place(name), for: .background)
            warn("\(error) Until then your tokens lie in \(folder.path), sealed by a key that lies beside them.")
            return
        }
        if isFirst, case .reduced(let warning) = best.protection { warn(warning) }
    }

    /// Takes away what nobody asks for any more. Where the keyring is closed it stays there, of no use to anybody: its session has ended.
    func forget(_ name: String) async {
        for store in [best, file] { try? await store.delete(place(name)) }
    }
}

extension SecretStoreError {
    /// Whether the store is there and does not let anybody in just now.
    fileprivate var isClosedDoor: Bool {
        switch self {
        case .locked, .denied, .unavailable: true
        case .notFound, .unexpectedStatus, .corrupted: false
        }
    }
}
