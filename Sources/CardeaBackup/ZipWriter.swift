import CArchive
import CardeaHub
import Foundation
import Synchronization

/// One archive while it is written: libarchive is entered by one caller at a time.
final class ZipWriter: ArchiveBuilder, @unchecked Sendable {
    private let lock = Mutex(())
    private let archive: OpaquePointer
    private let sink: Sink

    /// The destination of the bytes, and the first error there.
    private final class Sink {
        let write: @Sendable (Data) throws -> Void
        var problem: (any Error)?

        init(_ take: @escaping @Sendable (Data) throws -> Void) { self.write = take }
    }

    init(_ take: @escaping @Sendable (Data) throws -> Void) throws {
        guard let archive = archive_write_new() else { throw ZipError(description: "There is no memory for an archive.") }
        self.archive = archive
        sink = Sink(take)
        try check(archive_write_set_format_zip(archive))
        // The output is passed on as it comes, without padding to whole tape blocks.
        try check(archive_write_set_bytes_per_block(archive, 0))
        try check(
            archive_write_open(
                archive, Unmanaged.passUnretained(sink).toOpaque(), nil,
                { _, context, bytes, count in
                    guard let context, let bytes else { return -1 }
                    let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
                    do {
                        try sink.write(Data(bytes: bytes, count: count))
                        return count
                    } catch {
                        sink.problem = sink.problem ?? error
                        return -1
                    }
                }, nil))
    }

    deinit { archive_write_free(archive) }

    func begin(_ name: String, at moment: Date) throws {
        guard let entry = archive_entry_new() else { throw ZipError(description: "There is no memory for an archive.") }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname_utf8(entry, name)
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o600)
        archive_entry_set_mtime(entry, time_t(moment.timeIntervalSince1970), 0)
        try lock.withLock { _ in try check(archive_write_header(archive, entry)) }
    }

    func write(_ bytes: Data) throws {
        try lock.withLock { _ in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
                guard count > 0 else { throw problem() }
                rest = rest.dropFirst(count)
            }
        }
    }

    func close() throws { try lock.withLock { _ in try check(archive_write_close(archive)) } }

    private func check(_ status: Int32) throws {
        guard status == ARCHIVE_OK else { throw problem() }
    }

    private func problem() -> any Error {
        sink.problem
            ?? ZipError(description: archive_error_string(archive).map { String(cString: $0) } ?? "The archive cannot be written.")
    }
}
