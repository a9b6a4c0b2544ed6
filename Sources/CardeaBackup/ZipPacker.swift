import CArchive
import CardeaHub
import Foundation
import Synchronization

/// Packs what a person takes away into a ZIP archive, by libarchive.
public struct ZipPacker: ArchivePacker {
    public init() {}

    public func pack(into sink: @escaping @Sendable (Data) throws -> Void) throws -> any ArchiveBuilder {
        try ZipWriter(sink)
    }
}

/// What libarchive had to say.
struct ZipError: Error, CustomStringConvertible {
    let description: String
}
