import CardeaSecurity
// On Linux it has `stat`.
import CoreFoundation
import Foundation

/// The folder of backups, and the file system on which it lay when it was set up. A share or a disk that is not mounted leaves an empty folder on
/// the disk below it, which would take backups until it is full, and nobody would find them.
public struct BackupPlace: Sendable {
    /// In the house's folder.
    static let name = "hub.backups"

    /// As it was named: it may be a link.
    private let named: String
    private let folder: URL
    private let memory: URL
    private let device: @Sendable (String) throws(Unreachable) -> UInt64?

    public init(_ folder: URL, of house: URL) { self.init(folder, of: house, device: Self.device) }

    /// - Parameter device: the number of the file system that a path lies on; nil where there is nothing.
    init(_ folder: URL, of house: URL, device: @escaping @Sendable (String) throws(Unreachable) -> UInt64?) {
        named = folder.standardizedFileURL.path
        self.folder = folder.standardizedFileURL.resolvingSymlinksInPath()
        self.device = device
        memory = house.appending(path: Self.name)
    }

    /// As a file.
    private struct Memory: Codable, Hashable {
        /// A folder that is named otherwise is set up anew.
        let folder: String
        /// Where the file system is mounted that holds it.
        let mount: String
    }

    public struct NotMounted: Error, Hashable, CustomStringConvertible {
        let folder: String

        public var description: String {
            """
            The disk or share of the backup folder \(folder) is not mounted, so nothing is put there. Mount it. Where backups are to lie on the \
            disk that is there now, delete \(BackupPlace.name) in the house's folder.
            """
        }
    }

    public struct Unreachable: Error, Hashable, CustomStringConvertible {
        let folder: String
        let reason: String

        public var description: String { "The backup folder \(folder) cannot be reached: \(reason). Look at its disk or share." }
    }

    /// Makes sure that the folder lies where it did, and remembers where that is. It waits for the disk.
    ///
    /// - Throws: `NotMounted`, `Unreachable`
    public func require() throws {
        let now = Memory(folder: named, mount: try mount())
        let before = Self.read(memory)
        if let before, before.folder == now.folder, Self.isAway(before.mount, now: now.mount) { throw NotMounted(folder: named) }
        // Where it cannot be kept it is tried with the next one.
        if before != now, let bytes = try? JSONEncoder().encode(now) { try? PrivateFile(memory).replace(with: bytes) }
    }

    /// Whether it lies where it did.
    var isThere: Bool {
        do {
            let now = try mount()
            return Self.read(memory).map { $0.folder != named || !Self.isAway($0.mount, now: now) } ?? true
        } catch { return false }
    }

    /// What is wrong with the folder that the house in `house` makes its backups in; nil where nothing is, or where it makes none.
    public static func warning(of house: URL) -> String? {
        guard let known = read(house.appending(path: name)) else { return nil }
        let place = BackupPlace(URL(filePath: known.folder, directoryHint: .isDirectory), of: house)
        do {
            return isAway(known.mount, now: try place.mount()) ? "\(NotMounted(folder: known.folder)) It lay on \(known.mount)." : nil
        } catch { return error.description }
    }

    /// The house makes no backups by itself any more.
    public static func forget(in house: URL) { unlink(house.appending(path: name).path) }

    /// Whether the file system of then is gone: the folder lies on one that is mounted above it now. Another one in its place is as good, and
    /// numbers of devices tell nothing, since a share or a disk has another one after each start of the machine.
    static func isAway(_ then: String, now: String) -> Bool { then != now && (now == "/" || then.hasPrefix("\(now)/")) }

    /// Where the file system is mounted on which the folder lies, or will lie once it is made.
    private func mount() throws(Unreachable) -> String {
        var path = folder.path
        var number = try device(path)
        while number == nil, path != "/" {
            path = Self.above(path)
            number = try device(path)
        }
        while path != "/" {
            let above = Self.above(path)
            guard try device(above) == number else { return path }
            path = above
        }
        return path
    }

    private static func above(_ path: String) -> String {
        let above = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return above.isEmpty ? "/" : String(above)
    }

    private static func read(_ url: URL) -> Memory? {
        FileManager.default.contents(atPath: url.path).flatMap { try? JSONDecoder().decode(Memory.self, from: $0) }
    }

    private static func device(_ path: String) throws(Unreachable) -> UInt64? {
        var about = stat()
        if stat(path, &about) == 0 { return UInt64(truncatingIfNeeded: about.st_dev) }
        if errno == ENOENT { return nil }
        throw Unreachable(folder: path, reason: String(cString: strerror(errno)))
    }
}
