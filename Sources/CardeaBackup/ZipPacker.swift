import CArchive
import CardeaHub
import Foundation
import Synchronization

/// Packs a personal export into a ZIP archive, with libarchive.
public struct ZipPacker: ArchivePacker {
    public init() {}

    public func pack(into sink: @escaping @Sendable (Data) throws -> Void) throws -> any ArchiveBuilder {
        try ZipWriter(sink)
    }
}

/// An error message of libarchive.
struct ZipError: Error, CustomStringConvertible {
    let description: String
}
