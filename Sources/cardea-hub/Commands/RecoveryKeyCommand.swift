import ArgumentParser
import CardeaBackup
import CardeaSecurity
import Foundation

struct RecoveryKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-key",
        abstract: "Make the recovery key of a house, and print it once.",
        discussion: """
            The recovery key opens the house's backups, and the house itself if its house key is lost (`cardea-hub key recover`). Write it
            down. The house stores only the public half: it can make backups, but not open them. Each group of the key ends with a check
            character, so typing mistakes are found.
            """)

    @Option(help: ArgumentHelp("The folder of the house.", valueName: "folder"))
    var data = "./house"

    @Flag(help: "Replace the recovery key. The old key still opens old backups, but no new ones.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "Make no key; check a copy of one in a file, or - for standard input.", valueName: "file"))
    var check: String?

    @OptionGroup(title: "House key")
    var key: KeyOptions

    @Flag(help: "Print one line of JSON: recovery_key, key, house_id.")
    var json = false

    func run() async throws {
        if let check {
            let key = try RecoveryKeyFile.read(check)
            return print("The copy is correct. The key's name is \(BackupRecipient.fingerprint(of: key.publicKey)).")
        }
        guard FileManager.default.fileExists(atPath: URL(filePath: data).appending(path: "house.sqlite").path) else {
            throw ValidationError("There is no house in \(data).")
        }
        let house = try await HouseAccess(data, key)
        let made = RecoveryKey()
        try await house.storeRecoveryKey(made, replacing: replace)
        let id = try await house.houseID()
        try house.close()
        guard json else { return RecoveryKeyFile.print(made, of: id) }
        var line = ["recovery_key": made.formatted.reveal(), "key": BackupRecipient.fingerprint(of: made.publicKey)]
        line["house_id"] = id
        print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
    }
}
