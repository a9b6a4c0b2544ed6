import CardeaSecurity
import Crypto
import Foundation

/// The plain text of an archive, pulled.
final class DecryptedStream {
    private let file: FileHandle
    private var opener: ArchiveOpener
    private let inflater: Inflater
    /// The chunk that was read and not opened yet, because it was unknown whether it is the last.
    private var next: Data
    private var isAtEnd = false
    private var plain = Data()
    /// The position of the next byte.
    private var place: UInt64

    private static let sealed = ArchiveSealing.chunkSize + ArchiveSealing.tagSize

    init(_ file: FileHandle, beginning: Data, key: BackupKey, isAuthenticated: Bool) throws {
        self.file = file
        let encapsulated = try file.readExactly(ArchiveHeader.encapsulatedKeySize)
        place = UInt64(beginning.count + encapsulated.count)
        do {
            opener = try ArchiveOpener(beginning: beginning, encapsulated: encapsulated, key: key, isAuthenticated: isAuthenticated)
        } catch {
            throw ArchiveError.damaged(at: UInt64(beginning.count))
        }
        inflater = try Inflater()
        next = try file.readUpTo(Self.sealed)
    }

    /// The next file's name and size; nil at the end of all.
    func entry() throws -> ArchiveEntry? {
        switch try readExactly(1).first {
        case 0: return nil
        case 1: break
        default: throw damaged
        }
        let name = try readExactly(Int(try readExactly(1).first ?? 0))
        let size = try readExactly(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let text = String(validating: name, as: UTF8.self) else { throw damaged }
        return ArchiveEntry(name: text, size: size)
    }

    func read(upTo count: UInt64) throws -> Data {
        while plain.isEmpty { try readChunk() }
        let piece = plain.prefix(Int(min(count, UInt64(plain.count))))
        plain = Data(plain.dropFirst(piece.count))
        return Data(piece)
    }

    /// Checks that no data follows, and that the last chunk is marked as the last.
    func end() throws {
        while !isAtEnd { try readChunk() }
        guard plain.isEmpty, inflater.isAtEnd else { throw damaged }
    }

    private func readExactly(_ count: Int) throws -> Data {
        while plain.count < count { try readChunk() }
        let piece = Data(plain.prefix(count))
        plain = Data(plain.dropFirst(count))
        return piece
    }

    private func readChunk() throws {
        guard !isAtEnd else { throw damaged }
        let following = next.count == Self.sealed ? try file.readUpTo(Self.sealed) : Data()
        do {
            let compressed = try opener.open(next, isLast: following.isEmpty)
            if !compressed.isEmpty { plain += try inflater.pass(compressed) }
        } catch {
            throw damaged
        }
        place += UInt64(next.count)
        isAtEnd = following.isEmpty
        next = following
    }

    private var damaged: ArchiveError { .damaged(at: place) }
}
