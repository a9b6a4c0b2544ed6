import Foundation

/// Packs files into one archive that anybody can open.
public protocol ArchivePacker: Sendable {
    /// Begins an archive, whose bytes go to `sink` as they come.
    func pack(into sink: @escaping @Sendable (Data) throws -> Void) throws -> any ArchiveBuilder
}
