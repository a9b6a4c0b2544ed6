import ArgumentParser
import CardeaModel
import CardeaSecurity
import Foundation

struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify an exported audit log, without the house.",
        discussion: """
            Exits 0 if the log is intact; otherwise names the first wrong entry and exits 1. Prints the key that signed the log: compare it
            with a key that you got from the house itself, or give that key with --key.

              cardea audit verify audit.jsonl
              cardea audit verify audit.jsonl --key cardea/0192…+7d9a…+AQ… --witness kept.note
            """)

    @Argument(help: "The exported file.", completion: .file())
    var bundle: String
    @Option(help: "The house's key, as a verifier (name+hash+key) or 32 bytes in Base64.")
    var key: String?
    @Option(help: "A signed note of the audit log stored elsewhere. Can be repeated.", completion: .file())
    var witness: [String] = []
    @OptionGroup var output: OutputOptions

    private struct Answer: Encodable {
        let whole: Bool
        let origin, verifier: String
        let entries, size: Int64
        let selection: Bool
        let uncompared: [Int64]
    }

    func run() async throws {
        guard FileManager.default.isReadableFile(atPath: bundle) else {
            throw CommandLineError.usage("The file \(bundle) cannot be read.")
        }
        var expected: Data?
        if let key {
            guard let bytes = AuditCheckpoint.key(key) else {
                throw CommandLineError.usage("--key needs a verifier (name+hash+key), or 32 bytes in Base64.")
            }
            expected = bytes
        }
        let notes = try witness.map { path in
            guard let note = FileManager.default.contents(atPath: path) else {
                throw CommandLineError.usage("The file \(path) cannot be read.")
            }
            return String(decoding: note, as: UTF8.self)
        }
        var verifier = AuditBundleVerifier(expecting: expected, witnesses: notes)
        let proven: AuditBundleVerifier.Verification
        do {
            proven = try verifier.verify(URL(filePath: bundle))
        } catch let problem as AuditBundleVerifier.VerificationError {
            throw CommandLineError.refused(
                "audit_not_whole", problem.description, details: problem.seq.map { ["entry": .number(Double($0))] } ?? [:])
        }
        let answer = Answer(
            whole: true, origin: proven.origin, verifier: proven.verifier, entries: proven.entries, size: proven.size,
            selection: proven.isSelection, uncompared: proven.uncomparedSizes)
        try await Output(json: output.json).show(answer) {
            let what =
                proven.isSelection
                ? "All \(proven.entries) entries are in the signed audit log of \(proven.size) entries, and unchanged."
                : """
                The audit log is intact: \(proven.entries) entries of \(proven.size); the others were deleted after their \
                retention time.
                """
            return [what, "Signed by \(proven.verifier)", proven.message].compactMap { $0 }.joined(separator: "\n")
        }
    }
}
