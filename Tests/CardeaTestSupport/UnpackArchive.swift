import CArchive
import Foundation

/// The files of an archive by name, as libarchive reads them.
public func unpackArchive(_ bytes: Data) throws -> [String: Data] {
    struct Unreadable: Error, CustomStringConvertible { let description: String }
    let archive = archive_read_new()
    defer { archive_read_free(archive) }
    func check(_ status: Int32) throws {
        guard status == ARCHIVE_OK else {
            throw Unreadable(description: archive_error_string(archive).map { String(cString: $0) } ?? "The archive cannot be read.")
        }
    }
    try check(archive_read_support_format_zip(archive))
    return try bytes.withUnsafeBytes { buffer in
        try check(archive_read_open_memory(archive, buffer.baseAddress, buffer.count))
        var files: [String: Data] = [:]
        var entry: OpaquePointer?
        while true {
            let status = archive_read_next_header(archive, &entry)
            if status == ARCHIVE_EOF { return files }
            try check(status)
            var (file, piece) = (Data(), [UInt8](repeating: 0, count: 65_536))
            while true {
                let count = archive_read_data(archive, &piece, piece.count)
                if count == 0 { break }
                guard count > 0 else { throw Unreadable(description: "A file of the archive is broken.") }
                file += piece.prefix(count)
            }
            files[String(cString: archive_entry_pathname(entry))] = file
        }
    }
}
