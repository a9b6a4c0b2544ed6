import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// A house that is spoken to: by way of the hub that serves it, or opened here where none does. Never both.
struct HouseAccess {
    private enum Mode {
        case live
        case offline(HouseFolder, Store, KeyEncryptionKey, Backups)
    }

    private let folder: URL
    private let mode: Mode

    init(_ path: String, _ options: KeyOptions) async throws {
        folder = URL(filePath: path, directoryHint: .isDirectory)
        if let caller = try HubSocketClient(in: folder) {
            // That it answers is what counts: a socket may outlive its hub.
            _ = try await caller.state()
            mode = .live
            return
        }
        let house = try HouseFolder(at: path)
        try Store.requireCurrent(in: house.url)
        let store = try Store(folder: house.url)
        let key = try await options.keys(of: house, store).open(from: options.keyFrom)
        mode = .offline(house, store, key.encryption, try await Hub.backups(of: store, sealing: key.sealing))
    }

    /// A recovery key for a house that has none; nil where it has one.
    func recoveryKeyIfMissing() async throws -> RecoveryKey? {
        let key = RecoveryKey()
        switch mode {
        case .live:
            guard try await socketClient().state().recoveryKey == nil else { return nil }
            try await socketClient().storeRecoveryKey(key, replacing: false)
        case .offline(_, _, _, let backups):
            guard try await backups.state().recoveryKey == nil else { return nil }
            try await backups.save(recoveryKey: key.publicKey, authentication: key.backupAuthentication, replacing: false)
        }
        return key
    }

    func storeRecoveryKey(_ key: RecoveryKey, replacing: Bool) async throws {
        switch mode {
        case .live: try await socketClient().storeRecoveryKey(key, replacing: replacing)
        case .offline(_, _, _, let backups):
            do {
                try await backups.save(recoveryKey: key.publicKey, authentication: key.backupAuthentication, replacing: replacing)
            } catch Backups.BackupError.keyExists { throw RecoveryKeyExistsError() }
        }
    }

    /// The house's id; nil where an older hub serves it.
    func houseID() async throws -> String? {
        switch mode {
        case .live: return try await socketClient().state().house
        case .offline(_, _, _, let backups): return try await backups.houseID()
        }
    }

    /// Where the hub keeps the list of erasures; nil where it keeps none, or does not run.
    func erasureList() async throws -> String? {
        guard case .live = mode else { return nil }
        return try await socketClient().state().erasures
    }

    func backup(
        for lock: BackupRecipient?, to file: BackupFile, key: BackupKey?, _ progress: @escaping @Sendable (BackupRunner.Progress) -> Void
    ) async throws -> BackupRunner.Receipt {
        switch mode {
        case .live: return try await socketClient().backup(for: lock, to: file, key: key, progress: progress)
        case .offline(_, let store, let houseKey, let backups):
            let lock = if let lock { lock } else { try await backups.defaultRecipient() }
            BackupRunner.removeLeftovers(folder)
            let backup = BackupRunner(store: store, folder: folder, key: houseKey, backups: backups, app: CardeaHubCommand.version)
            let receipt = try await backup.run(for: lock, at: Date(), progress: progress) { try file.append($0) }
            try await file.commit(receipt, key: key)
            try await backups.record(good: receipt.madeAt, bytes: receipt.bytes, damage: receipt.damage)
            return receipt
        }
    }

    /// Believes the machine's clock as it is.
    func trustClock() async throws {
        switch mode {
        case .live: try await socketClient().trustClock()
        case .offline(_, let store, _, _): try await ClockMonitor.trust(store, at: Date())
        }
    }

    func close() throws {
        if case .offline(let house, let store, _, _) = mode {
            try store.close()
            withExtendedLifetime(house) {}
        }
    }

    private func socketClient() throws -> HubSocketClient {
        guard let caller = try HubSocketClient(in: folder) else { throw LocalSocket.SocketError("The hub has just stopped. Try again.") }
        return caller
    }
}

/// A file that holds one secret.
enum SecretFile {
    /// A passphrase to seal by: its first line, or with `-` that of standard input, in the form in which it is compared.
    static func newPassphrase(of path: String) throws -> Secret {
        let line = try line(text(of: bytes(path)), path)
        do throws(OpaqueString.OpaqueStringError) { return try OpaqueString.prepared(line) } catch {
            throw ValidationError("The passphrase in \(path) has a character that cannot be seen, such as a tab. Take it out.")
        }
    }

    /// The same to open by: in each form in which it may have been taken.
    static func passphrase(of path: String) throws -> [Secret] {
        let data = try bytes(path)
        let forms = OpaqueString.candidates(try line(text(of: data), path), isOfFile: true)
        // Older versions took UTF-16 for bytes of UTF-8.
        guard isUTF16(data), let former = try? line(String(decoding: data, as: UTF8.self), path) else { return forms }
        return forms + [former]
    }

    static func contents(_ path: String) throws -> Secret { Secret(text(of: try bytes(path))) }

    private static func line(_ text: String, _ path: String) throws -> Secret {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard line.count >= 8 else { throw ValidationError("The passphrase in \(path) is shorter than 8 characters.") }
        return Secret(line)
    }

    private static func bytes(_ path: String) throws -> Data {
        let data = path == "-" ? try FileHandle.standardInput.readToEnd() : FileManager.default.contents(atPath: path)
        guard let data, data.count <= 65_536 else { throw ValidationError("The file \(path) cannot be read.") }
        return data
    }

    /// Text as editors write it: UTF-8, or UTF-16 where a byte order mark says so. The mark itself is no part of it.
    private static func text(of data: Data) -> String {
        guard isUTF16(data) else {
            let text = String(decoding: data, as: UTF8.self)
            return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        }
        let bytes = [UInt8](data)
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isLittle ? other << 8 | one : one << 8 | other
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func isUTF16(_ data: Data) -> Bool { data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) }
}

/// The recovery key as it is written down.
enum RecoveryKeyFile {
    /// - Parameter house: its id; nil where an older hub serves it.
    static func print(_ key: RecoveryKey, of house: String?) {
        let groups = key.formatted.reveal().split(separator: "-")
        let lines = stride(from: 0, to: groups.count, by: 5).map { groups[$0..<min($0 + 5, groups.count)].joined(separator: "-") }
        Swift.print(
            """
            The house's recovery key. It opens every backup, and is shown this once: write it down, and keep it where the house is not.

              \(lines.joined(separator: "\n  "))

            Its name is \(BackupRecipient.fingerprint(of: key.publicKey)).
            """)
        guard let house else { return }
        Swift.print("The house's id is \(house). Write it down beside the key: restore says which house a backup holds.")
    }

    /// What lines of a file hold, without remarks behind a #.
    static func read(_ path: String) throws -> RecoveryKey {
        let text = try SecretFile.contents(path).reveal()
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        return try RecoveryKey(typed: Secret(lines.joined(separator: "\n")))
    }
}
