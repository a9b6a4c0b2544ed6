import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// Access to a house: through the hub that serves it, or opened here if none does. Never both.
struct HouseAccess {
    private enum Mode {
        case live
        case offline(HouseFolder, Store, KeyEncryptionKey, BackupRegistry)
    }

    private let folder: URL
    private let mode: Mode

    init(_ path: String, _ options: KeyOptions) async throws {
        folder = URL(filePath: path, directoryHint: .isDirectory)
        if let caller = try HubSocketClient(in: folder) {
            // An answer is what counts: a socket may outlive its hub.
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

    /// Creates a recovery key for a house that has none; nil if it has one.
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
            } catch BackupRegistry.BackupError.keyExists { throw RecoveryKeyExistsError() }
        }
    }

    /// The house's id; nil if an older hub serves it.
    func houseID() async throws -> String? {
        switch mode {
        case .live: return try await socketClient().state().house
        case .offline(_, _, _, let backups): return try await backups.houseID()
        }
    }

    /// The location of the hub's erasure list; nil if it keeps none or is not running.
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
