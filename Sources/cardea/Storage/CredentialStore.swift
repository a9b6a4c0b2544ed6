import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// What the command line keeps, changed by one process at a time: tokens and passes in the best place there is for secrets; in `home.json`,
/// mode 0600 in a folder of mode 0700, what is no secret, with the secrets' names.
///
/// A secret is kept before the file names it, and taken away after: whoever is killed between the two leaves one that nobody asks for.
struct CredentialStore: Sendable {
    let folder: URL
    var environment = ProcessInfo.processInfo.environment
    /// How long a keyring may take over an answer.
    var keyringTimeout: Duration = .seconds(10)
    /// Hears where secrets lie less well than they could.
    var warn: @Sendable (String) -> Void = { _ in }

    private var credentialsFile: PrivateFile { PrivateFile(folder.appendingPathComponent("home.json")) }
    /// Where everything lay before secrets had a store.
    private var legacyFile: PrivateFile { PrivateFile(folder.appendingPathComponent("tokens.json")) }

    /// What is kept, or nothing yet.
    func read() async throws -> StoredCredentials {
        if try mappingFileErrors({ try legacyFile.read() }) != nil { return try await update { $0 } }
        return try await load()
    }

    /// What is kept and no secret.
    func readWithoutSecrets() throws -> CredentialsFile { try decode(credentialsFile) ?? CredentialsFile() }

    /// Changes what is kept while nobody else can. What `change` leaves is kept, also when it throws.
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
        var kept = old
        let result: Result
        do {
            result = try await change(&kept)
        } catch {
            try await write(kept, insteadOf: old)
            throw error
        }
        try await write(kept, insteadOf: old)
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

    /// Moves what lies in `tokens.json` to where it belongs. The file goes last, so that nothing is lost however this ends.
    private func migrateLegacyFile() async throws {
        guard let old: LegacyTokensFile = try decode(legacyFile) else { return }
        try await write(StoredCredentials(old), insteadOf: StoredCredentials())
        do {
            try FileManager.default.removeItem(at: legacyFile.url)
        } catch {
            throw ClientError.storage("\(legacyFile.url.path) still holds tokens and cannot be taken away: \(error.localizedDescription)")
        }
    }

    private func write(_ kept: StoredCredentials, insteadOf old: StoredCredentials) async throws {
        let (now, then) = (try kept.secrets, try old.secrets)
        let changed = now.filter { then[$0.key]?.digest != $0.value.digest }
        let gone = Set(old.file.secrets ?? []).subtracting(kept.file.secrets ?? [])
        let secrets = changed.isEmpty && gone.isEmpty ? nil : await secrets()
        for (name, secret) in changed {
            do {
                try await secrets?.save(secret, as: name)
            } catch {
                throw ClientError.storage("\(error)")
            }
        }
        let (bytes, bytesBefore) = (try WireFormat.encode(kept.file), try WireFormat.encode(old.file))
        if bytes != bytesBefore { try mappingFileErrors { try credentialsFile.replace(with: bytes) } }
        for name in gone { await secrets?.delete(name) }
    }

    private func secrets() async -> FallbackSecretStore {
        await FallbackSecretStore(folder: folder, environment: environment, patience: keyringTimeout, warn: warn)
    }

    private func decode<Contents: Decodable>(_ file: PrivateFile) throws -> Contents? {
        guard let bytes = try mappingFileErrors({ try file.read() }) else { return nil }
        do {
            return try WireFormat.read(Contents.self, from: bytes)
        } catch {
            throw ClientError.storage("\(file.url.path) cannot be understood. Take it away, then sign in and take your passes again.")
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
    /// For whoever is neither signed in nor has a pass at hand.
    var notSignedIn: CommandLineError {
        hasUnavailablePasses ? CommandLineError(status: .notSignedIn, code: "tokens_locked", message: unavailableMessage) : .notSignedIn
    }

    /// Why a session or a pass that is kept is of no use just now.
    var unavailableMessage: String {
        switch secretStoreError {
        case .notFound?, nil:
            "Your tokens lie in a keyring that cannot be reached from here. Sign in to the desktop, or sign in here."
        case let problem?: "Your tokens cannot be had. \(problem)"
        }
    }
}
