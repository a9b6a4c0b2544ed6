import ArgumentParser
import CardeaBackup
import CardeaSecurity
import Foundation

struct RecoveryKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-key",
        abstract: "Make the key that opens the house's backups, and the house itself, and print it once.",
        discussion: """
            The house keeps its public half, and a key that authenticates backups, with which it can make backups and open none. The house's
            own key is sealed to the public half too, so that a house whose key is lost opens again: cardea-hub key recover. Write the key down. Each group ends with a letter
            or digit that follows from the others, so that a typing mistake is found and its group named.
            """)

    @Option(help: ArgumentHelp("The folder that holds the house.", valueName: "folder"))
    var data = "./house"

    @Flag(help: "Make another key in place of the one there is. The old one opens the old backups, and no new ones.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "Make none: read one from a file, - for standard input, and say whether it was copied rightly.", valueName: "file"))
    var check: String?

    @OptionGroup(title: "The house's key")
    var key: KeyOptions

    @Flag(help: "Print one line of JSON: recovery_key, key, house_id.")
    var json = false

    func run() async throws {
        if let check {
            let key = try RecoveryKeyFile.read(check)
            return print("It was copied rightly. Its name is \(BackupRecipient.fingerprint(of: key.publicKey)).")
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
