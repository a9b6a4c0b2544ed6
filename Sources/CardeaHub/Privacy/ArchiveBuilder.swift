import Foundation

/// An archive that is being written: one file after the other.
public protocol ArchiveBuilder: Sendable {
    /// Begins the next file.
    func begin(_ name: String, at moment: Date) throws
    func write(_ bytes: Data) throws
    /// Everything has been written.
    func close() throws
}
