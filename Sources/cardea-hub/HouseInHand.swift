import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// A house that is spoken to: by way of the hub that serves it, or opened here where none does. Never both.
struct HouseInHand {
    private enum Way {
        case served
        case own(HouseFolder, Store, KeyEncryptionKey, Backups)
    }

    private let folder: URL
    private let way: Way

    init(_ path: String, _ options: KeyOptions) async throws {
        folder = URL(filePath: path, directoryHint: .isDirectory)
        if let caller = try HubCaller(in: folder) {
            // That it answers is what counts: a socket may outlive its hub.
            _ = try await caller.state()
            way = .served
            return
        }
        let house = try HouseFolder(at: path)
        try Store.requireCurrent(in: house.url)
        let store = try Store(folder: house.url)
        let key = try await options.keys(of: house, store).open(from: options.keyFrom)
        way = .own(house, store, key.encryption, try await Hub.backups(of: store, sealing: key.sealing))
    }

    /// A recovery key for a house that has none; nil where it has one.
    func recoveryKeyIfMissing() async throws -> RecoveryKey? {
        let key = RecoveryKey()
        switch way {
        case .served:
            guard try await caller().state().recoveryKey == nil else { return nil }
            try await caller().keep(key, replacing: false)
        case .own(_, _, _, let backups):
            guard try await backups.state().recoveryKey == nil else { return nil }
            try await backups.keep(recoveryKey: key.publicKey, authentication: key.backupAuthentication, replacing: false)
        }
        return key
    }

    func keep(_ key: RecoveryKey, replacing: Bool) async throws {
        switch way {
        case .served: try await caller().keep(key, replacing: replacing)
        case .own(_, _, _, let backups):
            do {
                try await backups.keep(recoveryKey: key.publicKey, authentication: key.backupAuthentication, replacing: replacing)
            } catch Backups.Problem.keyExists { throw RecoveryKeyExists() }
        }
    }

    /// The house's id; nil where an older hub serves it.
    func houseID() async throws -> String? {
        switch way {
        case .served: return try await caller().state().house
        case .own(_, _, _, let backups): return try await backups.houseID()
        }
    }

    /// Where the hub keeps the list of erasures; nil where it keeps none, or does not run.
    func erasureList() async throws -> String? {
        guard case .served = way else { return nil }
        return try await caller().state().erasures
    }

    func backup(
        for lock: BackupLock?, to file: BackupFile, key: BackupKey?, _ progress: @escaping @Sendable (Backup.Progress) -> Void
    ) async throws -> Backup.Receipt {
        switch way {
        case .served: return try await caller().backup(for: lock, to: file, key: key, progress: progress)
        case .own(_, let store, let houseKey, let backups):
            let lock = if let lock { lock } else { try await backups.lock() }
            Backup.tidy(folder)
            let backup = Backup(store: store, folder: folder, key: houseKey, backups: backups, app: CardeaHubCommand.version)
            let receipt = try await backup.make(for: lock, at: Date(), progress: progress) { try file.append($0) }
            try await file.keep(receipt, key: key)
            try await backups.note(good: receipt.madeAt, bytes: receipt.bytes, damage: receipt.damage)
            return receipt
        }
    }

    /// Believes the machine's clock as it is.
    func trustClock() async throws {
        switch way {
        case .served: try await caller().trustClock()
        case .own(_, let store, _, _): try await ClockWatch.trust(store, at: Date())
        }
    }

    func close() throws {
        if case .own(let house, let store, _, _) = way {
            try store.close()
            withExtendedLifetime(house) {}
        }
    }

    private func caller() throws -> HubCaller {
        guard let caller = try HubCaller(in: folder) else { throw LocalSocket.Problem("The hub has just stopped. Try again.") }
        return caller
    }
}

/// A file that holds one secret.
enum SecretFile {
    /// A passphrase to seal by: its first line, or with `-` that of standard input, in the form in which it is compared.
    static func newPassphrase(of path: String) throws -> Secret {
        let line = try line(text(of: bytes(path)), path)
        do throws(OpaqueString.Problem) { return try OpaqueString.prepared(line) } catch {
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

    static func whole(_ path: String) throws -> Secret { Secret(text(of: try bytes(path))) }

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
enum PaperKey {
    /// - Parameter house: its id; nil where an older hub serves it.
    static func print(_ key: RecoveryKey, of house: String?) {
        let groups = key.shown.reveal().split(separator: "-")
        let lines = stride(from: 0, to: groups.count, by: 5).map { groups[$0..<min($0 + 5, groups.count)].joined(separator: "-") }
        Swift.print(
            """
            The house's recovery key. It opens every backup, and is shown this once: write it down, and keep it where the house is not.

              \(lines.joined(separator: "\n  "))

            Its name is \(BackupLock.fingerprint(of: key.publicKey)).
            """)
        guard let house else { return }
        Swift.print("The house's id is \(house). Write it down beside the key: restore says which house a backup holds.")
    }

    /// What lines of a file hold, without remarks behind a #.
    static func read(_ path: String) throws -> RecoveryKey {
        let text = try SecretFile.whole(path).reveal()
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        return try RecoveryKey(typed: Secret(lines.joined(separator: "\n")))
    }
}
