// `stat` on Linux.
import CoreFoundation
import Foundation

/// Removes the permissions of other users from a house's folder and from the files in it.
public enum FolderPermissions {
    /// The reason why a new house is refused in a folder that is open to other users.
    public enum PermissionError: Error, Hashable, CustomStringConvertible {
        /// The file system keeps no permissions.
        case withoutPermissions(path: String)
        /// Making it private could take something from its other users.
        case holdsOtherFiles(path: String)

        public var description: String {
            switch self {
            case .withoutPermissions(let path):
                """
                The folder \(path) stays open to other users of this machine: its file system keeps no permissions. Name a folder on another \
                file system with --data, or mount this one for the hub's user alone, for example with uid=…,umask=0077.
                """
            case .holdsOtherFiles(let path):
                """
                The folder \(path) is open to other users of this machine and holds other files. Name an empty or new folder with --data, or \
                run: chmod 700 \(path)
                """
            }
        }
    }

    /// Makes the folder private: 0700, and the files of a house 0600. Links are not followed, and files of other users are left alone.
    ///
    /// Call it before the database opens. A process that closes any descriptor of a file gives up its POSIX locks on it, and SQLite's are
    /// such.
    ///
    /// - Returns: sentences for the log; none if the folder was private.
    /// - Throws: `PermissionError`, or the error of the folder itself.
    public static func restrict(_ folder: URL) throws -> [String] { try restrict(folder, by: fchmod) }

    /// - Parameter change: sets a mode, as `fchmod` does. A file system without permissions may report success and change nothing.
    static func restrict(_ folder: URL, by change: (Int32, mode_t) -> Int32) throws -> [String] {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupFile.FileError(description: "\(folder.path) cannot be opened: \(reason())") }
        defer { close(descriptor) }
        let before = try status(of: descriptor, folder)
        guard before.st_uid == geteuid() else {
            return [
                "The data folder belongs to another user (uid \(before.st_uid)), who can read and replace everything in it. Give it to the hub's user with chown."
            ]
        }
        guard before.st_mode & otherUsersMask != 0 else { return [] }
        let isHouse = FileManager.default.fileExists(atPath: folder.appending(path: HouseFiles.database).path)
        let keys = before.st_mode & 0o011 == 0 ? [] : HouseFiles.keys.filter { isReadable(folder.appending(path: $0)) }
        guard try isHouse || holdsOnlyHouseFiles(folder) else { throw PermissionError.holdsOtherFiles(path: folder.path) }
        _ = change(descriptor, before.st_mode & permissions & ~otherUsersMask)
        if isHouse { restrictFiles(in: folder, by: change) }
        guard try status(of: descriptor, folder).st_mode & otherUsersMask == 0 else {
            guard isHouse else { throw PermissionError.withoutPermissions(path: folder.path) }
            return [
                "The data folder can be read by others on this machine, and its file system keeps no permissions. Move it to another file system, or mount this one for the hub's user alone, for example with uid=…,umask=0077."
            ]
        }
        let exposed = "Others could read hub.key. Give the house another key while the hub is stopped: cardea-hub key rotate"
        return ["The data folder could be read by others on this machine; now it cannot."]
            + (keys.contains(HouseFiles.sealingKey) ? [exposed] : [])
    }

    private static let otherUsersMask: mode_t = 0o077
    private static let permissions: mode_t = 0o7777
    private static let (kind, folderKind, fileKind): (mode_t, mode_t, mode_t) = (0o170000, 0o040000, 0o100000)

    /// A file whose mode cannot be changed stays as it is: others cannot reach it in a private folder.
    private static func restrictFiles(in folder: URL, by change: (Int32, mode_t) -> Int32) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let url = folder.appending(path: name)
            var about = stat()
            guard lstat(url.path, &about) == 0, about.st_uid == geteuid() else { continue }
            let isFolder = about.st_mode & kind == folderKind
            // Sockets and pipes have the mode that their maker gave them.
            guard isFolder || about.st_mode & kind == fileKind else { continue }
            if about.st_mode & otherUsersMask != 0 {
                let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
                guard descriptor >= 0 else { continue }
                _ = change(descriptor, about.st_mode & permissions & ~otherUsersMask)
                close(descriptor)
            }
            if isFolder { restrictFiles(in: url, by: change) }
        }
    }

    /// Keys may lie in the folder of a house that is yet to be made, and `lost+found` in a file system of its own.
    private static func holdsOnlyHouseFiles(_ folder: URL) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { name in
            name.hasPrefix("hub.") || HouseFiles.keys.contains(name) || name == "lost+found"
        }
    }

    private static func isReadable(_ file: URL) -> Bool {
        var about = stat()
        return lstat(file.path, &about) == 0 && about.st_mode & 0o044 != 0
    }

    private static func status(of descriptor: Int32, _ folder: URL) throws -> stat {
        var about = stat()
        guard fstat(descriptor, &about) == 0 else {
            throw BackupFile.FileError(description: "\(folder.path) cannot be read: \(reason())")
        }
        return about
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
