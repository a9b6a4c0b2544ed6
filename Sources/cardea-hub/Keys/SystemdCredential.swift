import CardeaHub
import Foundation
import Subprocess

/// The encrypted credential file of systemd, made and opened with `systemd-creds`. The key is passed only through pipes, never as an
/// argument.
struct SystemdCredential: SystemdCredentialFile {
    let file: URL
    let sealedBy: SystemdCredentialSeal

    var path: String { file.path }
    private var replacement: URL { URL(filePath: "\(file.path).next") }

    struct CredentialError: Error, CustomStringConvertible {
        let description: String
    }

    func prepare(_ bytes: Data) async throws {
        let folder = file.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            if FileManager.default.fileExists(atPath: replacement.path) { try FileManager.default.removeItem(at: replacement) }
        } catch {
            throw CredentialError(description: "\(folder.path) cannot be written to. Run this as root, or name another --credential-file.")
        }
        _ = try await run(
            ["encrypt", "--name=\(KeyLocations.credentialName)", "--with-key=\(sealedBy.rawValue)"], "-", replacement.path, input: bytes)
        guard chmod(replacement.path, 0o600) == 0, try await open(replacement) == bytes else {
            throw CredentialError(description: "The credential made by systemd-creds cannot be opened. Nothing was changed.")
        }
    }

    func commit() throws {
        try flush(replacement)
        guard rename(replacement.path, file.path) == 0 else { throw CredentialError(description: "\(file.path) cannot be written.") }
        try flush(file.deletingLastPathComponent())
    }

    func open() async throws -> Data? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try await open(file)
    }

    func remove() throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        guard unlink(file.path) == 0 else { throw CredentialError(description: "\(file.path) cannot be deleted.") }
        try flush(file.deletingLastPathComponent())
    }

    private func open(_ file: URL) async throws -> Data {
        try await run(["decrypt", "--name=\(KeyLocations.credentialName)"], file.path, "-", input: Data())
    }

    private func run(_ words: [String], _ from: String, _ to: String, input: Data) async throws -> Data {
        let problem: String
        do {
            let result = try await Subprocess.run(
                .name("systemd-creds"), arguments: Arguments(words + [from, to]), environment: .inherit, input: .array([UInt8](input)),
                output: .bytes(limit: 4096), error: .string(limit: 16_384))
            if result.terminationStatus.isSuccess { return Data(result.standardOutput) }
            problem = result.standardError
        } catch is SubprocessError {
            throw CredentialError(description: "systemd-creds cannot be run here. It needs systemd 250 or later.")
        }
        let line = problem.split(separator: "\n").last.map(String.init) ?? "no error message"
        throw CredentialError(description: "systemd-creds \(words[0]) \(file.path): \(line) Run this as root, on the machine of the house.")
    }

    private func flush(_ url: URL) throws {
        let place = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
        defer { close(place) }
        guard place >= 0, fsync(place) == 0 else { throw CredentialError(description: "\(url.path) cannot be written to the disk.") }
    }
}
