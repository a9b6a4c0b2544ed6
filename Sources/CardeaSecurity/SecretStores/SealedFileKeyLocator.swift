import Foundation

#if canImport(CLinux)
    import CLinux
#endif

/// The places where such a key may lie.
struct SealedFileKeyLocator: Sendable {
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

    /// The best there is; nil if a key file would have to be made.
    func best() throws(SecretStoreError) -> (source: SealedFileKeySource, key: SealingKey)? {
        for source in SealedFileKeySource.allCases {
            if let key = try existing(source) { return (source, key) }
        }
        return nil
    }

    func existing(_ source: SealedFileKeySource) throws(SecretStoreError) -> SealingKey? {
        try Self.mappingErrors { () throws(KeyFileError) in
            switch source {
            case .credential:
                try credentials.flatMap { (given) throws(KeyFileError) in
                    try KeyFile.credential(at: given.appending(path: "cardea-key"))
                }
            case .keyring: try keyringKey()
            case .file: try KeyFile.existing(at: keyFile)
            }
        }
    }

    func createKeyFile() throws(SecretStoreError) -> SealingKey {
        try Self.mappingErrors { () throws(KeyFileError) in try KeyFile.openOrCreate(at: keyFile) }
    }

    private func keyringKey() throws(KeyFileError) -> SealingKey? {
        #if canImport(CLinux)
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = cardea_keyring_read(keyringName, &bytes, bytes.count)
            // No keyring, none for this program, or nothing in it: the same result for the caller.
            guard count >= 0 else { return nil }
            guard count == bytes.count else { throw .wrongLength(count) }
            return try SealingKey(bytes: Data(bytes))
        #else
            return nil
        #endif
    }

    private static func mappingErrors<Answer>(_ body: () throws(KeyFileError) -> Answer) throws(SecretStoreError) -> Answer {
        do throws(KeyFileError) {
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
