import Foundation

/// The folder for personal exports until they are fetched, and the packer that makes them.
public struct ExportSettings: Sendable {
    /// Nil for a house that keeps no files, such as a demo.
    public var folder: URL?
    public var packer: (any ArchivePacker)?

    public init(folder: URL? = nil, packer: (any ArchivePacker)? = nil) {
        self.folder = folder
        self.packer = packer
    }
}
