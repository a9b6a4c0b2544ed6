import CardeaHub
import CardeaModel
// `stat` on Linux.
import CoreFoundation
import Foundation
import ServiceLifecycle

/// Reserved room in a house's folder that a start releases: a hub that starts on a full disk then has room for the files that SQLite needs
/// for reads, and for its writes before it serves.
public struct StartupDiskReserve: Sendable {
    static let name = "hub.reserve"
    static let (least, most) = (1 << 20, 8 << 20)

    private let folder: URL
    private var url: URL { folder.appending(path: Self.name) }

    public init(in folder: URL) { self.folder = folder }

    /// Bytes: an eighth of the database, within bounds.
    var size: Int {
        var about = stat()
        guard stat(folder.appending(path: HouseFiles.database).path, &about) == 0 else { return Self.least }
        return min(max(Self.least, Int(about.st_size) / 8), Self.most)
    }

    /// Returns whether there is too little space for a start.
    ///
    /// - Parameter space: nil if it cannot be read.
    func isNeeded(_ space: DiskSpace?) -> Bool { space.map { $0.free < Int64(4 * size) } ?? true }

    /// Gives the room up if the disk has little.
    ///
    /// - Returns: whether it has little, whatever there was to give.
    public func release() -> Bool {
        guard isNeeded(DiskSpace(fileSystemOf: folder)) else { return false }
        unlink(url.path)
        return true
    }

    /// Takes as much of it as there is room for. Random bytes: others would take no room where a file system compresses.
    public func allocate() {
        let descriptor = open(url.path, O_CREAT | O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var about = stat()
        guard fstat(descriptor, &about) == 0 else { return }
        var missing = size - Int(about.st_size)
        var generator = SystemRandomNumberGenerator()
        while missing > 0 {
            let piece = (0..<8192).map { _ in generator.next() }
            let written = piece.withUnsafeBytes { write(descriptor, $0.baseAddress, min(missing, $0.count)) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            missing -= written
        }
    }
}
