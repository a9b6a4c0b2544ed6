import CardeaSecurity
import Crypto
import Foundation

/// Writes files one after the other into a sealed stream. Nothing is held in memory but a chunk or two. It blocks.
final class ArchiveWriter {
    private let deflater: Deflater
    private var sealer: ArchiveSealer
    private var hash = SHA256()
    private(set) var bytes: Int64 = 0
    private let sink: (Data) throws -> Void

    /// The number of bytes of a file that are read at once.
    private static let readSize = 256 << 10

    init(_ header: ArchiveHeader, lock: BackupRecipient, sink: @escaping (Data) throws -> Void) throws {
        deflater = try Deflater()
        sealer = try ArchiveSealer(header, lock: lock)
        self.sink = sink
        try emit(sealer.beginning)
    }

    /// - Parameter passed: called with how many bytes of it were taken.
    func add(_ name: String, from file: FileHandle, size: UInt64, passed: (Int64) -> Void = { _ in }) throws {
        try write(ArchiveEntry(name: name, size: size).encoded)
        var left = size
        while left > 0 {
            let data = try file.read(upToCount: Int(min(left, UInt64(Self.readSize)))) ?? Data()
            guard !data.isEmpty else { throw FileShrunkError(name: name) }
            try write(data)
            left -= UInt64(data.count)
            passed(Int64(data.count))
        }
    }

    /// Adds an entry from memory.
    func add(_ name: String, bytes: Data) throws {
        try write(ArchiveEntry(name: name, size: UInt64(bytes.count)).encoded + bytes)
    }

    /// - Returns: SHA-256 of the whole file, as hex.
    func finish() throws -> String {
        try emit(sealer.seal(deflater.pass(ArchiveEntry.end, isLast: true)))
        try emit(sealer.finish())
        return Hexadecimal.encode(Data(hash.finalize()))
    }

    private func write(_ plain: Data) throws { try emit(sealer.seal(deflater.pass(plain))) }

    private func emit(_ sealed: Data) throws {
        guard !sealed.isEmpty else { return }
        hash.update(data: sealed)
        bytes += Int64(sealed.count)
        try sink(sealed)
    }

    /// A file became shorter while it was read.
    struct FileShrunkError: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name) became shorter while it was copied." }
    }
}

/// The head of a file in the archive: 1, the length of its name, its name, its size. A 0 ends the archive.
struct ArchiveEntry: Hashable {
    let name: String
    let size: UInt64

    static let end = Data([0])

    var encoded: Data {
        let name = Data(name.utf8)
        var data = Data([1, UInt8(clamping: name.count)]) + name
        for shift in stride(from: 56, through: 0, by: -8) { data.append(UInt8(size >> UInt64(shift) & 255)) }
        return data
    }
}
