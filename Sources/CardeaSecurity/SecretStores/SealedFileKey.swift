import Foundation

#if canImport(CKeyring)
    import CKeyring
#endif

/// Whose key seals a file of secrets, the better first.
enum SealedFileKey: String, Codable, CaseIterable {
    /// systemd's credential `cardea-key`, which the service manager gives at each start.
    case credential
    /// The kernel's keyring, where the person or their login put it. It is read there and never made there: it would be gone with a restart.
    case keyring
    /// A file beside the sealed one.
    case file
}

/// The places where such a key may lie.
struct SealedFileKeys: Sendable {
    let folder: URL
    let credentials: URL?
    /// The description under which the kernel's keyring has it, as a key of type `user`.
    let keyringName: String

    init(folder: URL, environment: [String: String], keyringName: String) {
        self.folder = folder
        credentials = environment["CREDENTIALS_DIRECTORY"].flatMap {
            $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil
        }
        self.keyringName = keyringName
    }

    var keyFile: URL { folder.appending(path: "secrets.key") }

    /// The best there is; nil where a key file would have to be made.
    func best() throws(SecretStoreError) -> (source: SealedFileKey, key: SealingKey)? {
        for source in SealedFileKey.allCases {
            if let key = try existing(source) { return (source, key) }
        }
        return nil
    }

    func existing(_ source: SealedFileKey) throws(SecretStoreError) -> SealingKey? {
        try Self.telling { () throws(KeyFileProblem) in
            switch source {
            case .credential:
                try credentials.flatMap { (given) throws(KeyFileProblem) in
                    try KeyFile.given(at: given.appending(path: "cardea-key"))
                }
            case .keyring: try inKeyring()
            case .file: try KeyFile.existing(at: keyFile)
            }
        }
    }

    func makeFile() throws(SecretStoreError) -> SealingKey {
        try Self.telling { () throws(KeyFileProblem) in try KeyFile.openOrCreate(at: keyFile) }
    }

    private func inKeyring() throws(KeyFileProblem) -> SealingKey? {
        #if canImport(CKeyring)
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = cardea_keyring_read(keyringName, &bytes, bytes.count)
            // No keyring, none for this program, or nothing in it: all the same to who needs a key.
            guard count >= 0 else { return nil }
            guard count == bytes.count else { throw .wrongLength(count) }
            return try SealingKey(bytes: Data(bytes))
        #else
            return nil
        #endif
    }

    private static func telling<Answer>(_ body: () throws(KeyFileProblem) -> Answer) throws(SecretStoreError) -> Answer {
        do throws(KeyFileProblem) {
            return try body()
        } catch {
            switch error {
            case .readableByOthers(let path): throw .denied("The key \(path) may be read by others. Run: chmod 600 \(path)")
            case .wrongLength(let count):
                throw .corrupted("The key of the sealed file must be 32 bytes long; it has \(count). Bring the right one back.")
            case .unreadable(let path, let reason): throw .unavailable(reason: "the key \(path) cannot be read: \(reason)")
            }
        }
    }
}
