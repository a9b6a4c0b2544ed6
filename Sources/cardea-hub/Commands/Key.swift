import ArgumentParser
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say where the key lies that opens a house, move it, or have another take its place.",
        discussion: """
            Everything that the house must read back is sealed by a key of its own, which lies in the database, wrapped by one that lies
            elsewhere: in hub.key beside it, among systemd's credentials, or in a desktop's keyring. The hub must be stopped meanwhile. A house
            that an older version served is left as it is: serve it once with this one first.

              cardea-hub key show --data /var/lib/cardea/house
              sudo cardea-hub key move --data /var/lib/cardea/house --to credential
            """, subcommands: [Show.self, Move.self, Rotate.self, Recover.self])

    /// Options of all these commands that select the house and its key.
    struct HouseOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The folder that holds the house.", valueName: "folder"))
        var data = "./house"

        @OptionGroup(title: "The house's key")
        var key: KeyOptions

        /// Runs `body` with the house's keys, while no other process has the house open.
        ///
        /// - Parameter updatingAfter: a check after whose return an older house is updated; the version that served the house can then no
        ///   longer open it. The check receives the folder and changes nothing in it. Nil leaves an older house as it is.
        /// - Throws: `SchemaTooOldError` if the house is older and no update was requested.
        func withKeys<Answer>(
            sealedBy seal: CredentialSeal = .both, updatingAfter check: ((URL) async throws -> Void)? = nil,
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
        static let configuration = CommandConfiguration(abstract: "Say where the key lies, and what that protects from.")

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
            abstract: "Have the key lie elsewhere.",
            discussion: """
                It is written where it is to lie, read back, and only then taken away where it lay. A credential is sealed by systemd-creds, as root;
                the unit takes it over with LoadCredentialEncrypted=cardea-hub-key. What lay in hub.key may still be on the disk though the file is
                gone: `key rotate` makes it worthless.
                """)

        @OptionGroup var house: HouseOptions
        @Option(help: "Where to: credential, file or secret-service.")
        var to: KeyLocation
        @Option(help: "By what a credential is sealed: host+tpm2, tpm2, or host where there is no TPM.")
        var withKey = CredentialSeal.both

        func run() async throws {
            let moved = try await house.withKeys(sealedBy: withKey) { keys in
                try await keys.move(try await keys.open(from: house.key.keyFrom), to: to)
            }
            print(moved.protection.text)
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give the house another key, and have another one open it.",
            discussion: """
                Everything that is sealed by the house's key is sealed anew in one commit. Whatever happens meanwhile, the key that lies there opens
                the house, and all of it. The old key opens nothing afterwards but copies of the house from before. What is new in the record is sealed by
                other keys, and access tokens are signed by another: who is signed in is given a new one.
                """)

        @OptionGroup var house: HouseOptions
        @Option(help: "By what a credential is sealed: host+tpm2, tpm2, or host where there is no TPM.")
        var withKey = CredentialSeal.both

        func run() async throws {
            let rotated = try await house.withKeys(sealedBy: withKey) { keys in
                try await keys.rotate(try await keys.open(from: house.key.keyFrom))
            }
            print("The house has another key. \(rotated.protection.text)")
        }
    }

    struct Recover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a house whose key is lost by its recovery key.",
            discussion: """
                The house is given another key, in hub.key beside its database; one that lies there and opens another house is kept under another
                name. Move the key afterwards to where it lay. A credential that does not open any more is named: systemd does not start the hub
                with it.
                """)

        @OptionGroup var house: HouseOptions
        @Option(help: ArgumentHelp("A file with the recovery key as it was written down, - for standard input.", valueName: "file"))
        var recoveryKeyFile: String
        @Flag(help: "Bring a house that an older version served up to date as well, for good: that version opens it no more.")
        var updateHouse = false

        /// Unlike elsewhere it is no way out to serve the house first: it has no key to be served with.
        private struct OutdatedHouseError: Error, CustomStringConvertible {
            let description = """
                This house was last served by an older Cardea, and this version would have to change its database for good to open it; nothing was \
                changed. Open it with the version that served it, or add --update-house.
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
            print("The house is open again. \(recovered.opened.protection.text)")
            if let name = recovered.setAside { print("The hub.key that lay there does not open this house. It is kept as \(name).") }
            if let path = recovered.strayCredential {
                print(
                    "The credential \(path) does not open this house, and systemd may not start the hub with it. Give it another name first."
                )
            }
        }
    }
}
