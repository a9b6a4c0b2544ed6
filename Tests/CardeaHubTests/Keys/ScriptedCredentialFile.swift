import CardeaHub
import Foundation
import Glibc

/// A credential's file without systemd-creds.
final class ScriptedCredentialFile: SystemdCredentialFile {
    private let file: URL
    let sealedBy: SystemdCredentialSeal

    init(in folder: URL, sealedBy: SystemdCredentialSeal) {
        file = folder.appending(path: "credential")
        self.sealedBy = sealedBy
    }

    var path: String { file.path }
    private var next: URL { URL(filePath: path + ".next") }

    func write(_ bytes: Data) { _ = FileManager.default.createFile(atPath: path, contents: bytes) }
    func prepare(_ bytes: Data) async throws { try bytes.write(to: next) }
    func commit() throws { _ = rename(next.path, path) }
    func open() async throws -> Data? { FileManager.default.contents(atPath: path) }
    func remove() throws { try FileManager.default.removeItem(at: file) }
}
