import CardeaSecurity
import CardeaSync
import Foundation

/// The key of the replicas, in the best secret store available.
struct ReplicaKey: Sendable {
    let folder: URL
    let store: any SecretStore

    /// A keyring may hold the keys of several folders.
    private var name: String { "replica-key \(folder.standardizedFileURL.path)" }

    /// The key, created the first time.
    ///
    /// - Parameter warn: receives a warning if the key is stored less safely than possible, and it is the first secret there.
    func loadOrCreate(warn: (String) -> Void) async throws -> SealingKey {
        if let key = try await existing() { return key }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Two concurrent first runs agree on one key.
        let lock = try await FileLock.LockFile(folder.appendingPathComponent("replica-key.lock")).acquire()
        defer { lock.release() }
        if let key = try await existing() { return key }
        let isFirst = (store as? SealedFileStore)?.isNew ?? true
        try await store.save(Secret(legacyKey() ?? generate()), as: name, for: .background)
        guard let key = try await existing() else { throw SecretStoreError.notFound(name: name) }
        try? FileManager.default.removeItem(at: legacyFile)
        if isFirst, case .reduced(let warning) = store.protection { warn(warning) }
        return key
    }

    /// The key, if it was made.
    func existing() async throws -> SealingKey? {
        do {
            guard let bytes = Data(base64Encoded: try await store.load(name).reveal()) else {
                throw KeyFileError.wrongLength(0)
            }
            return try SealingKey(bytes: bytes)
        } catch SecretStoreError.notFound {
            return nil
        }
    }

    /// Not if something was sealed by a key that another store holds, like a keyring that does not answer just now.
    private func generate() throws(SecretStoreError) -> String {
        let houses = folder.appendingPathComponent("houses", isDirectory: true)
        let stored = (try? FileManager.default.contentsOfDirectory(atPath: houses.path)) ?? []
        guard !stored.contains(where: { $0.hasSuffix(".sqlite") }) else {
            throw .locked(
                "The key of \(houses.path) is in a keyring that is not available here. Sign in to the desktop, or delete that folder."
            )
        }
        return SecretGenerator.randomBytes(32).base64EncodedString()
    }

    /// The file of the key before it had a secret store.
    private var legacyFile: URL { folder.appendingPathComponent("replica.key") }

    private func legacyKey() throws -> String? {
        guard try KeyFile.existing(at: legacyFile) != nil else { return nil }
        return try Data(contentsOf: legacyFile).base64EncodedString()
    }
}
