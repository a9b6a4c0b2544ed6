import Foundation

/// Packs files into one archive of a common format.
public protocol ArchivePacker: Sendable {
    /// Begins an archive, whose bytes are passed to `sink` as they are made.
    func pack(into sink: @escaping @Sendable (Data) throws -> Void) throws -> any ArchiveBuilder
}
