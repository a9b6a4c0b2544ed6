import ArgumentParser
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Show, move, rotate or recover the house key.",
        discussion: """
            The house's secrets are encrypted with a data key in the database. The house key encrypts the data key and is stored outside
            the database: in hub.key, as a systemd credential, or in a desktop's keyring. Stop the hub first. If an older version served
            the house last, start the hub once with this version before.

              cardea-hub key show --data /var/lib/cardea/house
              sudo cardea-hub key move --data /var/lib/cardea/house --to credential
            """, subcommands: [Show.self, Move.self, Rotate.self, Recover.self])

    /// Options of all these commands that select the house and its key.
    struct HouseOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The folder of the house.", valueName: "folder"))
        var data = "./house"

        @OptionGroup(title: "House key")
        var key: KeyOptions

        /// Runs `body` with the house's keys, while no other process has the house open.
        ///
        /// - Parameter updatingAfter: a check after whose return an older house is updated; the version that served the house can then no
        ///   longer open it. The check receives the folder and changes nothing in it. Nil leaves an older house as it is.
        /// - Throws: `SchemaTooOldError` if the house is older and no update was requested.
        func withKeys<Answer>(
            sealedBy seal: SystemdCredentialSeal = .both, updatingAfter check: ((URL) async throws -> Void)? = nil,
            _ body: (HouseKeys) async throws -> Answer
        ) async throws -> Answer {
            guard FileManager.default.fileExists(atPath: URL(filePath: data).appending(path: "house.sqlite").path) else {
                throw ValidationError("There is no house in \(data).")
            }
            let folder = try HouseFolder(at: data)
            if let check { try await check(folder.url) } else { try Store.requireCurrent(in: folder.url) }
            let store = try Store(folder: folder.url)
            let answer = try await body(key.keys(of: folder, store, sealedBy: seal))
            try store.close()
            withExtendedLifetime(folder) {}
            return answer
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show where the house key is stored, and how it is protected.")

        @OptionGroup var house: HouseOptions
        @Flag(help: "Print one line of JSON: place, protection, words.")
        var json = false

        func run() async throws {
            let protection = try await house.withKeys {
                try await $0.open(from: house.key.keyFrom, changing: false).protection
            }
            guard json else { return print("\(protection.text)\nProtection: \(protection.level).") }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            print(String(decoding: try encoder.encode(KeyReport(protection)), as: UTF8.self))
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move the house key to another place.",
            discussion: """
                The key is written to the new place and verified before the old copy is deleted. A credential is encrypted with
                systemd-creds, as root; the unit loads it with LoadCredentialEncrypted=cardea-hub-key. A deleted hub.key may still be
                readable on the disk: `key rotate` makes it useless.
                """)

        @OptionGroup var house: HouseOptions
        @Option(help: "The new place: credential, file or secret-service.")
        var to: KeyLocation
        @Option(help: "The encryption of a credential: host+tpm2, tpm2, or host if there is no TPM.")
        var withKey = SystemdCredentialSeal.both

        func run() async throws {
            let moved = try await house.withKeys(sealedBy: withKey) { keys in
                try await keys.move(try await keys.open(from: house.key.keyFrom), to: to)
            }
            print(moved.protection.text)
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the house key and the data key.",
            discussion: """
                All secrets are encrypted again in one transaction. If the command is interrupted, the stored key still opens the house.
                Afterwards, the old key opens only old copies of the house. New audit entries are encrypted with new keys, and signed-in
                clients get new access tokens.
                """)

        @OptionGroup var house: HouseOptions
        @Option(help: "The encryption of a credential: host+tpm2, tpm2, or host if there is no TPM.")
        var withKey = SystemdCredentialSeal.both

        func run() async throws {
            let rotated = try await house.withKeys(sealedBy: withKey) { keys in
                try await keys.rotate(try await keys.open(from: house.key.keyFrom))
            }
            print("The house has a new key. \(rotated.protection.text)")
        }
    }

    struct Recover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a house with its recovery key after the house key is lost.",
            discussion: """
                The house gets a new key in hub.key. An existing hub.key that does not open this house is kept under another name. Move the
                key to its former place afterwards. If a credential no longer opens the house, the command names it: systemd does not start
                the hub with it.
                """)

        @OptionGroup var house: HouseOptions
        @Option(help: ArgumentHelp("A file with the recovery key; - reads standard input.", valueName: "file"))
        var recoveryKeyFile: String
        @Flag(help: "Also update a house that an older version served last. That version cannot open it afterwards.")
        var updateHouse = false

        /// Unlike elsewhere it is no way out to serve the house first: it has no key to be served with.
        private struct OutdatedHouseError: Error, CustomStringConvertible {
            let description = """
                This house was last served by an older Cardea. To open it, this version must update its database permanently; nothing was \
                changed. Use the older version, or add --update-house.
                """
        }

        func run() async throws {
            let paper = try RecoveryKeyFile.read(recoveryKeyFile)
            do { try await recover(with: paper) } catch is SchemaTooOldError { throw OutdatedHouseError() }
        }

        private func recover(with paper: RecoveryKey) async throws {
            // A wrong recovery key opens nothing: for that no house is migrated.
            let fits: ((URL) async throws -> Void)? = updateHouse ? { try await HouseKeys.requireMatch(paper, in: $0) } : nil
            let recovered = try await house.withKeys(updatingAfter: fits) { try await $0.recover(with: paper) }
            print("The house can be opened again. \(recovered.opened.protection.text)")
            if let name = recovered.setAside { print("The existing hub.key does not open this house. It is kept as \(name).") }
            if let path = recovered.strayCredential {
                print(
                    """
                    The credential \(path) does not open this house, and systemd may refuse to start the hub with it. Rename it \
                    first.
                    """
                )
            }
        }
    }
}
