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

    /// How much of a file is read at once.
    private static let step = 256 << 10

    init(_ header: ArchiveHeader, lock: BackupLock, sink: @escaping (Data) throws -> Void) throws {
        deflater = try Deflater()
        sealer = try ArchiveSealer(header, lock: lock)
        self.sink = sink
        try put(sealer.beginning)
    }

    /// - Parameter passed: called with how many bytes of it were taken.
    func add(_ name: String, from file: FileHandle, size: UInt64, passed: (Int64) -> Void = { _ in }) throws {
        try take(ArchiveEntry(name: name, size: size).written)
        var left = size
        while left > 0 {
            let data = try file.read(upToCount: Int(min(left, UInt64(Self.step)))) ?? Data()
            guard !data.isEmpty else { throw Shrunk(name: name) }
            try take(data)
            left -= UInt64(data.count)
            passed(Int64(data.count))
        }
    }

    /// What lies in no file.
    func add(_ name: String, bytes: Data) throws {
        try take(ArchiveEntry(name: name, size: UInt64(bytes.count)).written + bytes)
    }

    /// - Returns: SHA-256 of the whole file, as hex.
    func finish() throws -> String {
        try put(sealer.seal(deflater.pass(ArchiveEntry.end, isLast: true)))
        try put(sealer.finish())
        return Hexadecimal.encode(Data(hash.finalize()))
    }

    private func take(_ plain: Data) throws { try put(sealer.seal(deflater.pass(plain))) }

    private func put(_ sealed: Data) throws {
        guard !sealed.isEmpty else { return }
        hash.update(data: sealed)
        bytes += Int64(sealed.count)
        try sink(sealed)
    }

    /// A file became shorter while it was read.
    struct Shrunk: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name) became shorter while it was copied." }
    }
}

/// What stands before a file: 1, the length of its name, its name, its size. A 0 stands at the end of all.
struct ArchiveEntry: Hashable {
    let name: String
    let size: UInt64

    static let end = Data([0])

    var written: Data {
        let name = Data(name.utf8)
        var data = Data([1, UInt8(clamping: name.count)]) + name
        for shift in stride(from: 56, through: 0, by: -8) { data.append(UInt8(size >> UInt64(shift) & 255)) }
        return data
    }
}
