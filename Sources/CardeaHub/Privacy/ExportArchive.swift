import CardeaModel
import CardeaStore
import Crypto
import Foundation
import GRDB
import Synchronization

/// An archive while it is filled, with the digests of its files.
final class ExportArchive: Sendable {
    private let archive: any ArchiveBuilder
    private let moment: Date
    private let state = Mutex(State())

    private struct State {
        var name: String?
        var hash = SHA256()
        var files: [(name: String, digest: String)] = []
    }

    init(_ archive: any ArchiveBuilder, at moment: Date) {
        self.archive = archive
        self.moment = moment
    }

    func file(_ name: String, _ bytes: Data) throws {
        try begin(name)
        try write(bytes)
        end()
    }

    /// A JSON array, element by element.
    ///
    /// - Returns: how many elements there are.
    func list(_ name: String, _ fill: (_ add: (JSONValue) throws -> Void) throws -> Void) throws -> Int {
        try begin(name)
        var count = 0
        try fill { element in
            try write(Data((count == 0 ? "[\n" : ",\n").utf8) + Data(try ExportRow.pretty(element).utf8))
            count += 1
        }
        try write(Data((count == 0 ? "[]\n" : "\n]\n").utf8))
        end()
        return count
    }

    func begin(_ name: String) throws {
        state.withLock { $0.name = name }
        try archive.begin(name, at: moment)
    }

    func write(_ bytes: Data) throws {
        state.withLock { $0.hash.update(data: bytes) }
        try archive.write(bytes)
    }

    func end() {
        state.withLock { state in
            let digest = state.hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            state.files.append((state.name ?? "", digest))
            (state.hash, state.name) = (SHA256(), nil)
        }
    }

    /// Puts down what each file is, and the house's signature over it, and closes the archive.
    func close(origin: String, signedBy key: Curve25519.Signing.PrivateKey) throws {
        let files = state.withLock { $0.files }
        let manifest = try JSONText.encode(
            .object([
                "schema_version": .string(PersonalDataExporter.schemaVersion), "exported_at": .string(ExportRow.text(moment)),
                "house": .string(origin),
                "public_key": .string(key.publicKey.rawRepresentation.base64EncodedString()),
                "files": .object(Dictionary(files.map { ($0.name, .string("sha256:\($0.digest)")) }) { $1 }),
            ]))
        try archive.begin("manifest.json", at: moment)
        try archive.write(Data(manifest.utf8))
        try archive.begin("manifest.sig", at: moment)
        try archive.write(Data(try key.signature(for: Data(manifest.utf8)).base64EncodedString().utf8))
        try archive.close()
    }
}
