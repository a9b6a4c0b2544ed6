import ArgumentParser
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify the house's record of who did what.", subcommands: [Verify.self])

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify an exported record, or the one of a house that nobody serves just now.",
            discussion: """
                Exits 0 where it is whole, else 1 with the first wrong entry.

                  cardea-hub audit verify audit.jsonl
                  cardea-hub audit verify --data ./house
                """)

        @Argument(help: "An exported record.", completion: .file())
        var bundle: String?
        @Option(help: ArgumentHelp("The folder that holds a house.", valueName: "folder"))
        var data: String?
        @Option(help: "Of an exported record: the house's key, as a verifier (name+hash+key) or 32 bytes in Base64.")
        var key: String?
        @Option(help: "A signed note of the record that somebody kept; may be given again.", completion: .file())
        var witness: [String] = []
        @OptionGroup(title: "The house's key")
        var houseKey: KeyOptions

        func validate() throws {
            guard (bundle == nil) != (data == nil) else { throw ValidationError("Name a bundle, or a house with --data.") }
            guard bundle != nil || key == nil else { throw ValidationError("--key is for an exported record.") }
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
            print("The record of the house in \(house) is whole.")
            if !uncompared.isEmpty {
                let sizes = uncompared.map(String.init).joined(separator: ", ")
                print("Not held against what was kept at \(sizes): what it is of was dropped. It proves nothing of those notes.")
            }
            return nil
        }

        private func verify(_ bundle: String, _ notes: [String]) throws -> String? {
            var expected: Data?
            if let key {
                guard let bytes = AuditCheckpoint.key(key) else { throw ValidationError("--key is a verifier, or 32 bytes in Base64.") }
                expected = bytes
            }
            guard FileManager.default.isReadableFile(atPath: bundle) else {
                throw ValidationError("There is no file \(bundle) to be read.")
            }
            var verifier = AuditBundleVerifier(expecting: expected, witnesses: notes)
            do {
                let proven = try verifier.verify(URL(filePath: bundle))
                print(
                    proven.isSelection
                        ? "Each of the \(proven.entries) entries is in the record of \(proven.size), and is told as the house tells it."
                        : "The record is whole: \(proven.entries) entries of \(proven.size), the others dropped after their time.")
                print("Signed by \(proven.verifier)")
                if let words = proven.message { print(words) }
                return nil
            } catch let problem as AuditBundleVerifier.VerificationError { return problem.description }
        }

        private static func bytes(_ path: String) throws -> Data {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw ValidationError("There is no file \(path) to be read.")
            }
            return bytes
        }
    }
}
