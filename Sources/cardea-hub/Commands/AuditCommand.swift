import ArgumentParser
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Verify the audit log of a house.", subcommands: [Verify.self])

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify an exported audit log, or that of a house while its hub is stopped.",
            discussion: """
                Exits 0 if the log is intact; otherwise names the first wrong entry and exits 1.

                  cardea-hub audit verify audit.jsonl
                  cardea-hub audit verify --data ./house
                """)

        @Argument(help: "An exported audit log.", completion: .file())
        var bundle: String?
        @Option(help: ArgumentHelp("The folder of a house.", valueName: "folder"))
        var data: String?
        @Option(help: "For an exported log: the house's key, as a verifier (name+hash+key) or 32 bytes in Base64.")
        var key: String?
        @Option(help: "A signed note of the audit log stored elsewhere. Can be repeated.", completion: .file())
        var witness: [String] = []
        @OptionGroup(title: "House key")
        var houseKey: KeyOptions

        func validate() throws {
            guard (bundle == nil) != (data == nil) else { throw ValidationError("Name an exported audit log, or a house with --data.") }
            guard bundle != nil || key == nil else { throw ValidationError("--key needs an exported audit log.") }
        }

        func run() async throws {
            let notes = try witness.map { path in String(decoding: try Self.bytes(path), as: UTF8.self) }
            let problem = if let bundle { try verify(bundle, notes) } else { try await verify(house: data ?? "", notes) }
            guard let problem else { return }
            print(problem)
            throw ExitCode.failure
        }

        /// - Returns: a description of the problem; nil if there is none.
        private func verify(house: String, _ notes: [String]) async throws -> String? {
            guard FileManager.default.fileExists(atPath: URL(filePath: house).appending(path: "house.sqlite").path) else {
                throw ValidationError("There is no house in \(house).")
            }
            let folder = try HouseFolder(at: house)
            defer { withExtendedLifetime(folder) {} }
            do { try Store.requireCurrent(in: folder.url) } catch let older as SchemaTooOldError { return older.description }
            let store = try Store(folder: folder.url)
            let problem: String?
            var uncompared: [Int64] = []
            do {
                let opened = try await houseKey.keys(of: folder, store).open(from: houseKey.keyFrom, changing: false)
                let found = try await AuditVerification.verifyStored(at: store, sealing: opened.sealing, against: notes)
                problem = found.problem
                uncompared = found.uncompared
            } catch let fault as KeyFileError {
                problem = fault.description
            } catch let fault as HouseKeyError { problem = fault.description }
            try store.close()
            guard problem == nil else { return problem }
            print("The audit log of the house in \(house) is intact.")
            if !uncompared.isEmpty {
                let sizes = uncompared.map(String.init).joined(separator: ", ")
                print("Not compared with the notes of size \(sizes): their entries have been deleted. These notes are not verified.")
            }
            return nil
        }

        private func verify(_ bundle: String, _ notes: [String]) throws -> String? {
            var expected: Data?
            if let key {
                guard let bytes = AuditCheckpoint.key(key) else {
                    throw ValidationError("--key needs a verifier (name+hash+key), or 32 bytes in Base64.")
                }
                expected = bytes
            }
            guard FileManager.default.isReadableFile(atPath: bundle) else {
                throw ValidationError("The file \(bundle) cannot be read.")
            }
            var verifier = AuditBundleVerifier(expecting: expected, witnesses: notes)
            do {
                let proven = try verifier.verify(URL(filePath: bundle))
                print(
                    proven.isSelection
                        ? "All \(proven.entries) entries are in the signed audit log of \(proven.size) entries, and unchanged."
                        : """
                        The audit log is intact: \(proven.entries) entries of \(proven.size); the others were deleted after \
                        their retention time.
                        """
                )
                print("Signed by \(proven.verifier)")
                if let words = proven.message { print(words) }
                return nil
            } catch let problem as AuditBundleVerifier.VerificationError { return problem.description }
        }

        private static func bytes(_ path: String) throws -> Data {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw ValidationError("The file \(path) cannot be read.")
            }
            return bytes
        }
    }
}
