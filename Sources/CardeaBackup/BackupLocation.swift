import CardeaSecurity
// `stat` on Linux.
import CoreFoundation
import Foundation

/// The folder of backups, and the file system that held it when it was set up. If a share or a disk is not mounted, its mount point is an
/// empty folder on the disk below, which would fill up with backups in the wrong place.
public struct BackupLocation: Sendable {
    /// In the house's folder.
    static let name = "hub.backups"

    /// The path that was given: it may be a link.
    private let givenPath: String
    private let folder: URL
    private let recordURL: URL
    private let device: @Sendable (String) throws(UnreachableError) -> UInt64?

    public init(_ folder: URL, of house: URL) { self.init(folder, of: house, device: Self.device) }

    /// - Parameter device: the number of the file system that a path lies on; nil if there is nothing.
    init(_ folder: URL, of house: URL, device: @escaping @Sendable (String) throws(UnreachableError) -> UInt64?) {
        givenPath = folder.standardizedFileURL.path
        self.folder = folder.standardizedFileURL.resolvingSymlinksInPath()
        self.device = device
        recordURL = house.appending(path: Self.name)
    }

    /// As a file.
    private struct Record: Codable, Hashable {
        /// A folder with another path is set up again.
        let folder: String
        /// The mount point of the file system that holds it.
        let mount: String
    }

    public struct NotMountedError: Error, Hashable, CustomStringConvertible {
        let folder: String

        public var description: String {
            """
            The disk or share of the backup folder \(folder) is not mounted, so nothing is put there. Mount it. Where backups are to lie on the \
            disk that is there now, delete \(BackupLocation.name) in the house's folder.
            """
        }
    }

    public struct UnreachableError: Error, Hashable, CustomStringConvertible {
        let folder: String
        let reason: String

        public var description: String { "The backup folder \(folder) cannot be reached: \(reason). Check its disk or network share." }
    }

    /// Checks that the folder is still on the same file system, and stores which one that is. It waits for the disk.
    ///
    /// - Throws: `NotMountedError`, `UnreachableError`
    public func require() throws {
        let now = Record(folder: givenPath, mount: try mount())
        let before = Self.read(recordURL)
        if let before, before.folder == now.folder, Self.hasMoved(before.mount, now: now.mount) { throw NotMountedError(folder: givenPath) }
        // If it cannot be stored, the next call tries again.
        if before != now, let bytes = try? JSONEncoder().encode(now) { try? PrivateFile(recordURL).replace(with: bytes) }
    }

    /// True if the folder is on the file system that was recorded.
    var isMounted: Bool {
        do {
            let now = try mount()
            return Self.read(recordURL).map { $0.folder != givenPath || !Self.hasMoved($0.mount, now: now) } ?? true
        } catch { return false }
    }

    /// Returns the problem with the folder in which the house in `house` makes its backups; nil if there is none, or if it makes no
    /// backups.
    public static func warning(of house: URL) -> String? {
        guard let known = read(house.appending(path: name)) else { return nil }
        let place = BackupLocation(URL(filePath: known.folder, directoryHint: .isDirectory), of: house)
        do {
            return hasMoved(known.mount, now: try place.mount())
                ? "\(NotMountedError(folder: known.folder)) It was on \(known.mount)." : nil
        } catch { return error.description }
    }

    /// Deletes the record when the house makes no scheduled backups any more.
    public static func removeRecord(in house: URL) { unlink(house.appending(path: name).path) }

    /// Returns whether the file system of then is gone: the folder is on one that is mounted above it now. Another one in its place is
    /// accepted. Device numbers prove nothing, since a share or a disk gets another one after each start of the machine.
    static func hasMoved(_ then: String, now: String) -> Bool { then != now && (now == "/" || then.hasPrefix("\(now)/")) }

    /// Returns the mount point of the file system that holds the folder, or will hold it once it is made.
    private func mount() throws(UnreachableError) -> String {
        var path = folder.path
        var number = try device(path)
        while number == nil, path != "/" {
            path = Self.parentPath(path)
            number = try device(path)
        }
        while path != "/" {
            let above = Self.parentPath(path)
            guard try device(above) == number else { return path }
            path = above
        }
        return path
    }

    private static func parentPath(_ path: String) -> String {
        let above = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return above.isEmpty ? "/" : String(above)
    }

    private static func read(_ url: URL) -> Record? {
        FileManager.default.contents(atPath: url.path).flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
    }

    private static func device(_ path: String) throws(UnreachableError) -> UInt64? {
        var about = stat()
        if stat(path, &about) == 0 { return UInt64(truncatingIfNeeded: about.st_dev) }
        if errno == ENOENT { return nil }
        throw UnreachableError(folder: path, reason: String(cString: strerror(errno)))
    }
}
