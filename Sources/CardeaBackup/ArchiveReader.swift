import CardeaSecurity
import Crypto
import Foundation

/// Reads a backup from its beginning to its end. It blocks.
struct ArchiveReader {
    let header: ArchiveHeader
    private let file: FileHandle
    private let beginning: Data

    /// Reads the header. It is trusted only once a chunk has been decrypted.
    ///
    /// - Throws: `ArchiveError`, or the disk's error.
    init(_ url: URL) throws {
        file = try FileHandle(forReadingFrom: url)
        let count = ArchiveHeader.magic.count
        let start = try file.readExactly(count + 2)
        guard start.prefix(count) == ArchiveHeader.magic, let upper = start.dropFirst(count).first, let lower = start.last else {
            throw ArchiveError.notABackup
        }
        let length = Int(upper) << 8 | Int(lower)
        guard length <= ArchiveHeader.sizeLimit else { throw ArchiveError.notABackup }
        let text = try file.readExactly(length)
        guard let version = try? JSONDecoder().decode(Version.self, from: text) else { throw ArchiveError.notABackup }
        guard version.format <= ArchiveHeader.current else { throw ArchiveError.newer(format: version.format) }
        guard let header = try? JSONDecoder().decode(ArchiveHeader.self, from: text) else { throw ArchiveError.notABackup }
        self.header = header
        beginning = start + text
    }

    private struct Version: Decodable {
        let format: Int
    }

    /// Opens everything, and hands each file on as it comes. Only when it returns is anything known to be whole.
    ///
    /// - Parameter begin: called with a file's name and size; what it returns is given the file's bytes, and an empty piece at its end.
    func read(with key: BackupKey, _ begin: (ArchiveEntry) throws -> (Data) throws -> Void) throws {
        guard header.key == key.fingerprint else {
            throw header.passphrase == nil ? ArchiveError.otherKey : ArchiveError.wrongPassphrase
        }
        let stream = try DecryptedStream(file, beginning: beginning, key: key, isAuthenticated: header.isAuthenticated)
        while let entry = try stream.entry() {
            let sink = try begin(entry)
            var left = entry.size
            while left > 0 {
                let piece = try stream.read(upTo: left)
                left -= UInt64(piece.count)
                try sink(piece)
            }
            try sink(Data())
        }
        try stream.end()
    }

    /// SHA-256 of a whole file, as hex.
    static func digest(of url: URL) throws -> String {
        let file = try FileHandle(forReadingFrom: url)
        var hash = SHA256()
        while let data = try file.read(upToCount: 1 << 20), !data.isEmpty { hash.update(data: data) }
        return Hexadecimal.encode(Data(hash.finalize()))
    }
}

extension FileHandle {
    /// As many bytes as there are, up to so many.
    func readUpTo(_ count: Int) throws -> Data {
        var data = Data()
        while data.count < count, let more = try read(upToCount: count - data.count), !more.isEmpty { data += more }
        return data
    }

    func readExactly(_ count: Int) throws -> Data {
        let data = try readUpTo(count)
        guard data.count == count else { throw ArchiveError.notABackup }
        return data
    }
}
