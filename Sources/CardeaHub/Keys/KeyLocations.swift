import CardeaModel
import CardeaSecurity
import Foundation

/// Reads, writes and removes the key in its places.
public struct KeyLocations: Sendable {
    /// The name of systemd's credential.
    public static let credentialName = "cardea-hub-key"

    let folder: URL
    private let credentialURL: URL?
    private let keyring: (any SecretStore)?
    private let credentialFile: (any SystemdCredentialFile)?

    /// - Parameters:
    ///   - folder: the house's own.
    ///   - environment: where systemd's credentials are, by `CREDENTIALS_DIRECTORY`.
    ///   - credentialFile: for a process that systemd did not start; nil if the file is not to be read.
    public init(
        folder: URL, environment: [String: String], keyring: (any SecretStore)? = nil, credentialFile: (any SystemdCredentialFile)? = nil
    ) {
        self.folder = folder
        credentialURL = environment["CREDENTIALS_DIRECTORY"].flatMap {
            $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory).appending(path: Self.credentialName) : nil
        }
        self.keyring = keyring
        self.credentialFile = credentialFile
    }

    public var file: URL { folder.appending(path: "hub.key") }
    /// The next one, while it is put in the other's place.
    private var nextFile: URL { folder.appending(path: "hub.key.next") }

    /// True if systemd passed a credential.
    var hasCredential: Bool { credentialURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false }
    var sealedBy: SystemdCredentialSeal? { credentialFile?.sealedBy }

    /// The file of a place that has room for one key.
    func path(of place: KeyLocation) -> String? {
        switch place {
        case .file: file.path
        case .credential: credentialFile?.path
        case .secretService: nil
        }
    }

    // MARK: Reading

    /// Returns whether the key is in the file beside the database, even if only as a copy. A file that cannot be read counts as holding it.
    func isBesideDatabase(_ key: KeyEncryptionKey) -> Bool {
        do {
            return try KeyEncryptionKey(file: file)?.mark == key.mark
        } catch {
            return true
        }
    }

    /// Returns whether there is a credential although none opens the house.
    func hasStrayCredential() async -> Bool {
        do {
            return try await !keys(in: .credential, known: []).isEmpty
        } catch {
            return true
        }
    }

    /// The keys that lie there: none, or one, or while one takes another's place two.
    func keys(in place: KeyLocation, known marks: [Data]) async throws -> [KeyEncryptionKey] {
        switch place {
        case .file:
            let own = try KeyEncryptionKey(file: file)
            do {
                // A prepared key counts only if the house knows it.
                let next = try KeyEncryptionKey(file: nextFile).flatMap { marks.contains($0.mark) ? $0 : nil }
                return [own, next].compactMap { $0 }
            } catch {
                guard let own else { throw error }
                return [own]
            }
        case .credential:
            if let credentialURL, let key = try KeyEncryptionKey(credential: credentialURL) { return [key] }
            return try await credentialFile?.open().map { [try KeyEncryptionKey(bytes: $0)] } ?? []
        case .secretService:
            guard let keyring else { return [] }
            var found: [KeyEncryptionKey] = []
            for mark in marks {
                do {
                    let text = try await keyring.load(Self.name(mark)).reveal()
                    found.append(try KeyEncryptionKey(bytes: Base64URL.decode(text) ?? Data()))
                } catch SecretStoreError.notFound { continue }
            }
            return found
        }
    }

    // MARK: Writing

    /// Stores a key beside the existing one.
    func prepare(_ key: KeyEncryptionKey, in place: KeyLocation) async throws {
        switch place {
        case .file:
            try PrivateFile(nextFile).replace(with: key.reveal())
            try matchFolderOwner(nextFile)
        case .credential:
            guard let credentialFile else { throw HouseKeyError.cannotWrite(place) }
            try await credentialFile.prepare(key.reveal())
        case .secretService:
            guard let keyring else { throw HouseKeyError.cannotWrite(place) }
            try await keyring.save(Secret(Base64URL.encode(key.reveal())), as: Self.name(key.mark), for: .background)
        }
    }

    /// Gives the file another name besides, if it holds no key that the house knows: another house may be opened by it.
    ///
    /// - Returns: the other name; nil if there is nothing to keep.
    func setAside(known marks: [Data]) throws -> String? {
        guard FileManager.default.fileExists(atPath: file.path), !containsKey(of: marks) else { return nil }
        for number in 1...1000 {
            let other = "\(file.path).kept-\(number)"
            let answer = link(file.path, other)
            if answer != 0, errno == EEXIST { continue }
            try requireSuccess(other, answer)
            try flushFolder()
            return other
        }
        throw HouseKeyError.occupied(file.path)
    }

    private func containsKey(of marks: [Data]) -> Bool {
        do {
            return try KeyEncryptionKey(file: file).map { marks.contains($0.mark) } == true
        } catch {
            return false
        }
    }

    /// Replaces the present key with the prepared one.
    func commit(in place: KeyLocation) throws {
        switch place {
        case .file:
            try requireSuccess(file.path, rename(nextFile.path, file.path))
            try flushFolder()
        case .credential: try credentialFile?.commit()
        case .secretService: break
        }
    }

    /// Completes an interrupted rotation, for the key that counts.
    func commitFile(for key: KeyEncryptionKey) throws {
        // An unreadable key is not the earlier key, which was read before this point.
        let next: KeyEncryptionKey?
        do { next = try KeyEncryptionKey(file: nextFile) } catch { return }
        guard let next else { return }
        if next.mark == key.mark { return try commit(in: .file) }
        try unlink(nextFile)
    }

    func remove(_ key: KeyEncryptionKey, from place: KeyLocation) async throws {
        switch place {
        case .file:
            for url in [nextFile, file] {
                if try KeyEncryptionKey(file: url)?.mark == key.mark { try unlink(url) }
            }
        case .credential: try credentialFile?.remove()
        case .secretService: try await keyring?.delete(Self.name(key.mark))
        }
    }

    private static func name(_ mark: Data) -> String { "cardea-hub-key-\(Hexadecimal.encode(mark.prefix(8)))" }

    private func unlink(_ url: URL) throws {
        try requireSuccess(url.path, Foundation.unlink(url.path))
        try flushFolder()
    }

    /// The names, too, must be on the disk.
    private func flushFolder() throws {
        let path = folder.path
        let place = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try requireSuccess(path, place)
        defer { close(place) }
        try requireSuccess(path, fsync(place))
    }

    /// - Parameters:
    ///   - path: what was to be changed.
    ///   - answer: what the system answered just now: below zero it did not do it, and `errno` says why.
    private func requireSuccess(_ path: String, _ answer: Int32) throws {
        guard answer >= 0 else { throw HouseKeyError.disk(path, String(cString: strerror(errno))) }
    }

    /// Gives the file to the owner of the house's folder if this process runs as root.
    private func matchFolderOwner(_ url: URL) throws {
        let about = try FileManager.default.attributesOfItem(atPath: folder.path)
        guard let owner = (about[.ownerAccountID] as? NSNumber)?.uint32Value,
            let group = (about[.groupOwnerAccountID] as? NSNumber)?.uint32Value, getuid() == 0, owner != 0
        else { return }
        try requireSuccess(url.path, lchown(url.path, owner, group))
    }
}
