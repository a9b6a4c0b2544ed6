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
