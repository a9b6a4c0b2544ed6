import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// The command line's stored credentials, changed by one process at a time. Tokens and passes are in the best secret store available;
/// `home.json`, mode 0600 in a folder of mode 0700, has everything that is not secret, and the names of the secrets.
///
/// A secret is saved before the file names it, and deleted after: a process killed between the two leaves an unused secret.
struct CredentialStore: Sendable {
    let folder: URL
    var environment = ProcessInfo.processInfo.environment
    /// The maximum time for an answer of the keyring.
    var keyringTimeout: Duration = .seconds(10)
    /// Receives a warning if secrets are stored less safely than possible.
    var warn: @Sendable (String) -> Void = { _ in }

    private var credentialsFile: PrivateFile { PrivateFile(folder.appendingPathComponent("home.json")) }
    /// The file for all data before secrets had a store of their own.
    private var legacyFile: PrivateFile { PrivateFile(folder.appendingPathComponent("tokens.json")) }

    /// Reads the stored credentials; empty if there are none.
    func read() async throws -> StoredCredentials {
        if try mappingFileErrors({ try legacyFile.read() }) != nil { return try await update { $0 } }
        return try await load()
    }

    /// Reads the stored data that is not secret.
    func readWithoutSecrets() throws -> CredentialsFile { try decode(credentialsFile) ?? CredentialsFile() }

    /// Changes the stored data while no other process can. The changed value is stored, also when `change` throws.
    func update<Result>(_ change: (inout StoredCredentials) async throws -> Result) async throws -> Result {
        let lock: FileLock
        do {
            try credentialsFile.prepareFolder()
            lock = try await FileLock.LockFile(folder.appendingPathComponent("tokens.lock")).acquire()
        } catch let problem as PrivateFile.FileError {
            throw ClientError(problem)
        }
        defer { lock.release() }
        try await migrateLegacyFile()
        let old = try await load()
        var stored = old
        let result: Result
        do {
            result = try await change(&stored)
        } catch {
            try await write(stored, insteadOf: old)
            throw error
        }
        try await write(stored, insteadOf: old)
        return result
    }

    private func load() async throws -> StoredCredentials {
        let file = try readWithoutSecrets()
        guard file.secrets != nil else {
            return try await StoredCredentials(file) { name throws(SecretStoreError) in throw .notFound(name: name) }
        }
        let secrets = await secrets()
        return try await StoredCredentials(file) { name throws(SecretStoreError) in try await secrets.load(name) }
    }

    /// Moves the data of `tokens.json` to the present store. The file is deleted last, so that nothing is lost if this is interrupted.
    private func migrateLegacyFile() async throws {
        guard let old: LegacyTokensFile = try decode(legacyFile) else { return }
        try await write(StoredCredentials(old), insteadOf: StoredCredentials())
        do {
            try FileManager.default.removeItem(at: legacyFile.url)
        } catch {
            throw ClientError.storage("\(legacyFile.url.path) still contains tokens and cannot be deleted: \(error.localizedDescription)")
        }
    }

    private func write(_ stored: StoredCredentials, insteadOf old: StoredCredentials) async throws {
        let (now, then) = (try stored.secrets, try old.secrets)
        let changed = now.filter { then[$0.key]?.digest != $0.value.digest }
        let gone = Set(old.file.secrets ?? []).subtracting(stored.file.secrets ?? [])
        let secrets = changed.isEmpty && gone.isEmpty ? nil : await secrets()
        for (name, secret) in changed {
            do {
                try await secrets?.save(secret, as: name)
            } catch {
                throw ClientError.storage("\(error)")
            }
        }
        let (bytes, bytesBefore) = (try WireFormat.encode(stored.file), try WireFormat.encode(old.file))
        if bytes != bytesBefore { try mappingFileErrors { try credentialsFile.replace(with: bytes) } }
        for name in gone { await secrets?.delete(name) }
    }

    private func secrets() async -> FallbackSecretStore {
        await FallbackSecretStore(folder: folder, environment: environment, timeout: keyringTimeout, warn: warn)
    }

    private func decode<Contents: Decodable>(_ file: PrivateFile) throws -> Contents? {
        guard let bytes = try mappingFileErrors({ try file.read() }) else { return nil }
        do {
            return try WireFormat.read(Contents.self, from: bytes)
        } catch {
            throw ClientError.storage("\(file.url.path) is damaged. Delete it, then sign in and accept your passes again.")
        }
    }

    private func mappingFileErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let problem as PrivateFile.FileError {
            throw ClientError(problem)
        }
    }
}

extension StoredCredentials {
    /// The error for a person without a session or an available pass.
    var notSignedIn: CommandLineError {
        hasUnavailablePasses ? CommandLineError(status: .notSignedIn, code: "tokens_locked", message: unavailableMessage) : .notSignedIn
    }

    /// The reason why a stored session or pass is not available at present.
    var unavailableMessage: String {
        switch secretStoreError {
        case .notFound?, nil:
            "Your tokens are in a keyring that is not available here. Sign in to the desktop, or sign in here."
        case let problem?: "Your tokens cannot be read. \(problem)"
        }
    }
}
