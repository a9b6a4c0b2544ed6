import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Make a backup of a house, while its hub runs or not.",
        discussion: """
            The backup contains the database, the keys and the pictures. It is encrypted to the house's recovery key, or with a passphrase.
            The first backup makes the recovery key and prints it. The file is verified before it gets its final name.

              cardea-hub backup --data /var/lib/cardea --out /srv/backup/house.backup
            """)

    @Option(help: ArgumentHelp("The folder of the house.", valueName: "folder"))
    var data = "./house"

    @Option(help: ArgumentHelp("The backup file. It must not exist yet.", valueName: "file"))
    var out: String

    @Option(help: ArgumentHelp("A file whose first line is a passphrase, to use instead of the recovery key.", valueName: "file"))
    var passphraseFile: String?

    @OptionGroup(title: "House key")
    var key: KeyOptions

    @Flag(
        help:
            """
            Print one line of JSON: file, bytes, made_at, pictures, key, house_id, authenticated, erasures, and recovery_key if \
            one was made.
            """
    )
    var json = false

    func run() async throws {
        guard FileManager.default.fileExists(atPath: URL(filePath: data).appending(path: "house.sqlite").path) else {
            throw ValidationError("There is no house in \(data).")
        }
        let sealed = try passphraseFile.map { try BackupKey.make(passphrase: SecretFile.newPassphrase(of: $0)) }
        let house = try await HouseAccess(data, key)
        let id = try await house.houseID()
        // Read beforehand: once the backup is complete, a stopping hub cannot spoil it.
        let erasures = try await house.erasureList()
        // If the file cannot be written, no key is made: the house would store it, and no person would see it.
        let file = try BackupFile(URL(filePath: out))
        let made: RecoveryKey?
        do { made = sealed == nil ? try await house.recoveryKeyIfMissing() : nil } catch {
            file.discard()
            throw error
        }
        // Before anything else: a backup without its key is useless.
        if let made, !json { RecoveryKeyFile.print(made, of: id) }
        let teller = BackupProgressPrinter(isShown: !json && isatty(STDERR_FILENO) == 1)
        let receipt: BackupRunner.Receipt
        do {
            receipt = try await house.backup(for: sealed?.lock, to: file, key: sealed?.key ?? made.map { BackupKey($0) }, teller.update)
        } catch {
            file.discard()
            teller.end()
            // The house stores the other half of it from now on.
            if let made, json { RecoveryKeyFile.print(made, of: id) }
            throw error
        }
        teller.end()
        try house.close()
        if json {
            try Report(receipt, file: out, house: id, erasures: erasures, made: made).print()
        } else {
            if let damage = receipt.damage {
                print("The audit log in the backup is damaged: \(damage) To restore it, add --despite-record.")
            }
            if receipt.isAuthenticated != true { print("The backup is not authenticated. \(UnauthenticatedBackupWarning.text)") }
            print("Backup complete and verified: \(out), \(receipt.bytes.formatted(.byteCount(style: .file))).")
            print(
                erasures.map { "Later erasures are listed in \($0): restore needs it beside the backup, or with --erasures." }
                    ?? """
                    Later erasures are not listed: people erased after this backup return when it is restored. A hub started with \
                    --backup-folder keeps such a list.
                    """
            )
        }
    }

    private struct Report: Encodable {
        let file: String
        let bytes: Int64
        let madeAt: String
        let pictures: Int
        let key: String
        let houseId: String?
        let authenticated: Bool
        let erasures: String?
        let recoveryKey: String?

        init(_ receipt: BackupRunner.Receipt, file: String, house: String?, erasures: String?, made: RecoveryKey?) {
            (self.file, houseId, self.erasures) = (file, house, erasures)
            (bytes, pictures, key) = (receipt.bytes, receipt.pictures, receipt.key)
            madeAt = receipt.madeAt.formatted(.iso8601)
            authenticated = receipt.isAuthenticated == true
            recoveryKey = made?.formatted.reveal()
        }

        func print() throws {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.outputFormatting = .sortedKeys
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }
}

/// The warning for a house whose recovery key is older than the authentication of backups.
enum UnauthenticatedBackupWarning {
    static let text = """
        The recovery key is of an older version. Replace it: cardea-hub recovery-key --replace. Until then, restore needs \
        --accept-unauthenticated.
        """
}

/// Prints the progress of a backup on a terminal.
private final class BackupProgressPrinter: Sendable {
    private let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown }

    func update(_ progress: BackupRunner.Progress) {
        guard isShown else { return }
        let words =
            switch progress.stage {
            case .copying: "Copying the database"
            case .checking: "Verifying the copy"
            case .sealing: "Sealing"
            }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(words) \(Int(progress.done * 100)) %".utf8))
    }

    func end() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
