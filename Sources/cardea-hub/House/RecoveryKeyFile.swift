import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// The recovery key as it is written down.
enum RecoveryKeyFile {
    /// - Parameter house: its id; nil if an older hub serves it.
    static func print(_ key: RecoveryKey, of house: String?) {
        let groups = key.formatted.reveal().split(separator: "-")
        let lines = stride(from: 0, to: groups.count, by: 5).map { groups[$0..<min($0 + 5, groups.count)].joined(separator: "-") }
        Swift.print(
            """
            The house's recovery key. It opens every backup and is not shown again: write it down, and store it outside the house.

              \(lines.joined(separator: "\n  "))

            Its name is \(BackupRecipient.fingerprint(of: key.publicKey)).
            """)
        guard let house else { return }
        Swift.print("The house's id is \(house). Write it down with the key: restore prints the id of the house in a backup.")
    }

    /// Reads a recovery key from the lines of a file, without comment lines that begin with #.
    static func read(_ path: String) throws -> RecoveryKey {
        let text = try SecretFile.contents(path).reveal()
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        return try RecoveryKey(typed: Secret(lines.joined(separator: "\n")))
    }
}
