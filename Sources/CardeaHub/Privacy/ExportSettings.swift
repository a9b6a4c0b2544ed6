import Foundation

/// Where what people take away lies until they have fetched it, and who packs it.
public struct ExportSettings: Sendable {
    /// Nil for a house that keeps no files, such as a demo.
    public var folder: URL?
    public var packer: (any ArchivePacker)?

    public init(folder: URL? = nil, packer: (any ArchivePacker)? = nil) {
        self.folder = folder
        self.packer = packer
    }
}

/// Packs files into one archive that anybody can open.
public protocol ArchivePacker: Sendable {
    /// Begins an archive, whose bytes go to `sink` as they come.
    func pack(into sink: @escaping @Sendable (Data) throws -> Void) throws -> any ArchiveBuilder
}

/// An archive that is being written: one file after the other.
public protocol ArchiveBuilder: Sendable {
    /// Begins the next file.
    func begin(_ name: String, at moment: Date) throws
    func write(_ bytes: Data) throws
    /// Everything has been written.
    func close() throws
}
