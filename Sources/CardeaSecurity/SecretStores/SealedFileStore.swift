import Foundation

/// Secrets in one file, `secrets.sealed`, where nothing better keeps them: mode 0600 in a folder of mode 0700, each sealed for its name.
///
/// Written whole or not at all, and changed by one at a time, in this process or another. A file keeps to the kind of key it was first
/// sealed with, so that a key which comes or goes later loses nothing.
public struct SealedFileStore: SecretStore {
    private let folder: URL
    private let keys: SealedFileKeyLocator

    /// - Parameters:
    ///   - folder: made at the first save.
    ///   - environment: where systemd's credentials are, by `CREDENTIALS_DIRECTORY`.
    ///   - keyringName: the description of the key in the kernel's keyring.
    public init(
        folder: URL, environment: [String: String] = ProcessInfo.processInfo.environment, keyringName: String = "cardea-key"
    ) {
        self.folder = folder
        keys = SealedFileKeyLocator(folder: folder, environment: environment, keyringName: keyringName)
    }

    private var file: URL { folder.appending(path: "secrets.sealed") }

    /// True if there is no file yet.
    public var isNew: Bool { !FileManager.default.fileExists(atPath: file.path) }

    public var protection: ProtectionLevel {
        // If neither can be read, a key file would be used; the first call reports the error.
        let source = (try? read())?.key ?? (try? keys.best())?.source ?? .file
        let place = "Secrets are kept in \(file.path), because no keyring answers here."
        return switch source {
        case .credential:
            .reduced("\(place) They are sealed by the key cardea-key among systemd's credentials, and open to every program that has it.")
        case .keyring:
            .reduced(
                """
                \(place) They are sealed by a key in the kernel's keyring, which is empty after a restart: keep that key elsewhere too, \
                and put it back, or sign in again.
                """)
        case .file:
            .reduced(
                """
                \(place) The key lies beside it in \(keys.keyFile.lastPathComponent), so whoever reads this folder reads them. \
                Start a keyring on this desktop, or give this service a systemd credential called cardea-key.
                """)
        }
    }

    public func save(_ secret: Secret, as name: String, for use: SecretAvailability) async throws(SecretStoreError) {
        try await withLock { () throws(SecretStoreError) in
            let (contents, key) = try openOrCreate()
            try write(contents.adding(key.seal(Data(secret.reveal().utf8), for: Self.sealingContext(name)), as: name))
        }
    }

    public func load(_ name: String) async throws(SecretStoreError) -> Secret {
        guard let contents = try read() else { throw .notFound(name: name) }
        return try open(name, in: contents)
    }

    public func delete(_ name: String) async throws(SecretStoreError) {
        guard try read() != nil else { return }
        try await withLock { () throws(SecretStoreError) in
            guard var contents = try read(), contents.secrets.removeValue(forKey: name) != nil else { return }
            try write(contents)
        }
    }

    /// Moves all secrets from here into `store`. Those that cannot be moved, or were changed meanwhile, stay; the file is deleted with the
    /// last of them, and its key if that is a file too.
    func migrate(to store: some SecretStore) async throws(SecretStoreError) {
        guard let contents = try read() else { return }
        for (name, sealed) in contents.secrets {
            try await store.save(open(name, in: contents), as: name, for: .background)
            try await withLock { () throws(SecretStoreError) in
                guard var contents = try read(), contents.secrets[name] == sealed else { return }
                contents.secrets[name] = nil
                try write(contents)
            }
        }
        try await withLock { () throws(SecretStoreError) in
            guard let contents = try read(), contents.secrets.isEmpty else { return }
            for gone in [file] + (contents.key == .file ? [keys.keyFile] : []) where unlink(gone.path) != 0 && errno != ENOENT {
                throw .unavailable(reason: "\(gone.path) cannot be taken away: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// The content of the file.
    private struct Contents: Codable {
        var format = 1
        let key: SealedFileKeySource
        /// The mark that identifies the right key.
        let mark: Data
        var secrets: [String: Data]

        func adding(_ sealed: Data, as name: String) -> Contents {
            var contents = self
            contents.secrets[name] = sealed
            return contents
        }
    }

    private static let markInput = Data("secrets".utf8)

    private static func sealingContext(_ name: String) -> String { "secrets/\(name)" }

    private func open(_ name: String, in contents: Contents) throws(SecretStoreError) -> Secret {
        guard let sealed = contents.secrets[name] else { throw .notFound(name: name) }
        let key = try key(of: contents)
        guard let plain = try? key.open(sealed, for: Self.sealingContext(name)), let text = String(bytes: plain, encoding: .utf8) else {
            throw .corrupted("What \(file.path) holds as \(name) was changed, and does not open. Save it again, or bring the file back.")
        }
        return Secret(text)
    }

    /// Returns the content of the file, or of a new one, with its key.
    private func openOrCreate() throws(SecretStoreError) -> (Contents, SealingKey) {
        if let kept = try read() { return (kept, try key(of: kept)) }
        let best = try keys.best()
        let key = if let best { best.key } else { try keys.createKeyFile() }
        return (Contents(key: best?.source ?? .file, mark: key.mark(Self.markInput), secrets: [:]), key)
    }

    private func key(of contents: Contents) throws(SecretStoreError) -> SealingKey {
        let whose =
            switch contents.key {
            case .credential: "systemd's credential cardea-key"
            case .keyring: "the key \(keys.keyringName) in the kernel's keyring"
            case .file: "the key \(keys.keyFile.path)"
            }
        let mend = "Bring it back, or take \(file.lastPathComponent) away and sign in again."
        guard let key = try keys.existing(contents.key) else {
            throw .locked("\(file.path) was sealed by \(whose), which is not there. \(mend)")
        }
        guard key.mark(Self.markInput) == contents.mark else {
            throw .locked("\(file.path) was sealed by \(whose), which is another one now. \(mend)")
        }
        return key
    }
}

// MARK: - The file

extension SealedFileStore {
    private var sealed: PrivateFile { PrivateFile(file) }

    /// Runs `change` while no other program changes the file. The lock ends with the process, however it ends.
    private func withLock(_ change: () throws(SecretStoreError) -> Void) async throws(SecretStoreError) {
        let lock: FileLock
        do {
            try sealed.prepareFolder()
            lock = try await FileLock.LockFile(folder.appending(path: "secrets.lock")).acquire()
        } catch let problem as PrivateFile.FileError {
            throw SecretStoreError(problem)
        } catch {
            throw .unavailable(reason: "the wait for \(file.path) was broken off")
        }
        defer { lock.release() }
        try change()
    }

    private func read() throws(SecretStoreError) -> Contents? {
        let bytes: Data?
        do throws(PrivateFile.FileError) { bytes = try sealed.read() } catch { throw SecretStoreError(error) }
        guard let bytes else { return nil }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: bytes) else {
            throw .corrupted("\(file.path) cannot be understood. Bring it back from a backup, or take it away and sign in again.")
        }
        guard contents.format == 1 else {
            throw .unavailable(reason: "\(file.path) was written by a newer Cardea; use that one")
        }
        return contents
    }

    private func write(_ contents: @autoclosure () throws -> Contents) throws(SecretStoreError) {
        do {
            try sealed.replace(with: JSONEncoder().encode(contents()))
        } catch {
            throw .unavailable(reason: "\(error)")
        }
    }
}

extension SecretStoreError {
    init(_ problem: PrivateFile.FileError) {
        switch problem {
        case .denied(let words): self = .denied(words)
        case .unavailable(let reason): self = .unavailable(reason: reason)
        }
    }
}
