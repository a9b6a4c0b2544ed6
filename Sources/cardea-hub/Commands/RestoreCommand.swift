import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import Foundation

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a house back from a backup.",
        discussion: """
            Refused while a hub serves the house. The backup is opened and verified whole beside the folder first; then the two change places in one
            step, and the house as it was is kept as FOLDER.before-TIME for 30 days.

            Nothing that was taken back since comes to life again: every session, phone, passkey, recovery code and token for programs ends, passes
            are paused until somebody resumes them and hands out a new link, people are switched off until the owner lets them in again, automations
            are off, and a tag that proves its touches must be touched once by somebody who may change settings. The owner comes in with the
            password of then.

            A backup proves that this house made it, by a key that follows from the recovery key or the passphrase. One of an older version does not;
            it is refused with the id of its house, and put back with --accept-unauthenticated.

            Whoever was erased since is erased again as the hub starts, as far as the house that is there knows them, or the list of erasures that
            the hub keeps beside its backups: it is taken from beside the backup, or named with --erasures.
            """)

    @Option(help: ArgumentHelp("The folder that is to hold the house. There may be one already.", valueName: "folder"))
    var data = "./house"

    @Option(help: ArgumentHelp("The backup.", valueName: "file"))
    var from: String

    @Option(help: ArgumentHelp("A file with the recovery key as it was written down, - for standard input.", valueName: "file"))
    var recoveryKeyFile: String?

    @Option(help: ArgumentHelp("A file with the passphrase, - for standard input.", valueName: "file"))
    var passphraseFile: String?

    @Option(help: ArgumentHelp("A list of erasures, where it does not lie beside the backup.", valueName: "file"))
    var erasures: String?

    @Option(help: ArgumentHelp("Where the backup knows several owners: the user name of the one who comes in first.", valueName: "name"))
    var owner: String?

    @Flag(help: "Put the house back though its record of who did what is damaged. That it was is put on record.")
    var despiteRecord = false

    @Flag(help: "Put the house back from a backup that does not prove who made it, as those of older versions do not.")
    var acceptUnauthenticated = false

    @Flag(help: "Print one line of JSON: house_id, authenticated, made_at, before, erasures, and what was ended.")
    var json = false

    func validate() throws {
        guard (recoveryKeyFile == nil) != (passphraseFile == nil) else {
            throw ValidationError("Name the key: --recovery-key-file or --passphrase-file.")
        }
    }

    func run() async throws {
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        // Held until the end, so that no hub serves the house meanwhile.
        let lock = FileManager.default.fileExists(atPath: folder.path) ? try HouseFolder(at: data) : nil
        let opener: RestoreRunner.UnlockMethod
        if let recoveryKeyFile {
            opener = .recovery(try RecoveryKeyFile.read(recoveryKeyFile))
        } else {
            opener = .passphrase(try SecretFile.passphrase(of: passphraseFile ?? "-"))
        }
        let restore = RestoreRunner(
            from: URL(filePath: from).absoluteURL, erasures: erasures.map { URL(filePath: $0).absoluteURL }, into: folder, at: Date(),
            despiteRecord: despiteRecord, acceptsUnauthenticated: acceptUnauthenticated)
        let outcome = try await restore.run(with: opener, owner: owner)
        withExtendedLifetime(lock) {}
        if json { try Report(outcome).print() } else { printOutcome(outcome) }
    }

    private func printOutcome(_ outcome: RestoreRunner.Outcome) {
        let report = outcome.report
        print("The house in \(data) is the one of \(outcome.madeAt.formatted(.iso8601)), with the id \(outcome.house).")
        if !outcome.isAuthenticated {
            print("Its backup was not authenticated: make sure that this is your house's id. \(UnauthenticatedBackupWarning.text)")
        }
        if let damage = outcome.damage { print("Its record is damaged, and that is on record: \(damage)") }
        if let before = outcome.before {
            print("As it was before, it lies in \(before.path); the hub takes it away after \(ReplacedHouseCleanup.retentionDays) days.")
        }
        if let owner = report.owner {
            print("\(owner) comes in with the password of then. Choose another one if it has been told to somebody since.")
        }
        print(
            """
            Ended: \(report.sessions) sessions, \(report.phones) phones, \(report.programs) tokens for programs, \(report.passkeys) passkeys, \
            \(report.recoveryCodes) recovery codes.
            To be looked at again: \(report.people) people, \(report.passes) passes, \(report.tags) tags, \(report.automations) automations.
            """)
        print(text(outcome.erasures, since: outcome.madeAt))
        if report.erased > 0 { print("Erased again as the hub starts, of residents and guests: \(report.erased).") }
    }

    /// From where it is known who was erased since, and from when on it is not.
    private func text(_ erasures: RestoreRunner.ErasureSources, since madeAt: Date) -> String {
        if let list = erasures.list, let at = erasures.writtenAt {
            return "Who was erased until \(at.formatted(.iso8601)) is known from \(list.path)."
        }
        let none = "No list of erasures lies beside the backup"
        if erasures.house == .read { return "\(none). Who was erased since is known from the house that lay in \(data)." }
        let words =
            switch erasures.house {
            case .unreadable: "The house that lay in \(data) cannot be read. "
            case .another: "In \(data) lay another house. "
            case .none, .read: ""
            }
        return words
            + "\(none): whoever was erased since \(madeAt.formatted(.iso8601)) is back. Restore again with --erasures FILE, or erase them again."
    }

    private struct Report: Encodable {
        let houseId: String
        let authenticated: Bool
        let madeAt: String
        let before: String?
        let erasures: Erasures
        let ended: PostRestoreReconciliation.Report

        struct Erasures: Encodable {
            let list: String?
            let listAt: String?
            let house: String
        }

        init(_ outcome: RestoreRunner.Outcome) {
            (houseId, authenticated) = (outcome.house, outcome.isAuthenticated)
            (madeAt, before, ended) = (outcome.madeAt.formatted(.iso8601), outcome.before?.path, outcome.report)
            let known = outcome.erasures
            erasures = Erasures(list: known.list?.path, listAt: known.writtenAt?.formatted(.iso8601), house: known.house.rawValue)
        }

        func print() throws {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.outputFormatting = .sortedKeys
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }
}
