// `stat` on Linux.
import CoreFoundation
import Foundation

/// Keeps the files in a house's folder in the possession of the folder's owner, even if root runs a program on the house.
public enum FolderOwnership {
    /// Gives what root has made in the folder to the folder's owner; nothing if this is not root, or the folder is root's.
    ///
    /// Call it while the database is closed. A process that closes any descriptor of a file gives up its POSIX locks on it, and SQLite's
    /// are such.
    public static func transfer(_ folder: URL) {
        guard geteuid() == 0 else { return }
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var owner = stat()
        guard fstat(descriptor, &owner) == 0, owner.st_uid != 0 else { return }
        transfer(descriptor, at: folder.path, to: owner)
    }

    /// The owner may change names at any moment: each file is opened below its folder, never through a link, and what is opened is judged.
    private static func transfer(_ folder: Int32, at path: String, to owner: stat) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let url = "\(path)/\(name)"
            var about = stat()
            guard lstat(url, &about) == 0, about.st_uid == 0 || about.st_mode & kind == folderKind else { continue }
            let descriptor = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            // Other mounted file systems below are left alone.
            guard fstat(descriptor, &about) == 0, about.st_dev == owner.st_dev else { continue }
            let isFolder = about.st_mode & kind == folderKind
            // A file with a second name may be root's own, which the owner has linked here.
            guard isFolder || about.st_mode & kind == fileKind && about.st_nlink == 1 else { continue }
            if about.st_uid == 0 { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
            if isFolder { transfer(descriptor, at: url, to: owner) }
        }
    }

    // MARK: Texts

    /// Files of the house that are another user's than the folder, with the command that gives them back; nil if there are none.
    public static func warning(of folder: URL) -> String? { warning(of: folder) { _, _ in true } }

    /// The same for those that a hub needs and this user cannot get at: with them no hub starts. A copy that root has put beside them is
    /// none.
    public static func startObstacle(in folder: URL) -> String? {
        guard geteuid() != 0 else { return nil }
        return warning(of: folder) { name, path in requiredAccess(of: name).map { access(path, $0) != 0 } ?? false }
    }

    /// Returns the access that a hub needs to the file of this name; nil if it starts without it.
    static func requiredAccess(of name: String) -> Int32? {
        let companions = ["", "-wal", "-shm", "-journal"].map { HouseFiles.database + $0 }
        if companions.contains(name) || name == "hub.lock" { return R_OK | W_OK }
        if [HouseFiles.pictures, "exports"].contains(name) { return R_OK | W_OK | X_OK }
        // These are replaced, never written to.
        return HouseFiles.keys.contains(name) || name == "audit.size" ? R_OK : nil
    }

    /// The reason why nothing can be made in the folder, with the remedy.
    ///
    /// - Parameter reason: `errno` of the try.
    public static func creationFailure(of folder: URL, because reason: Int32) -> String {
        let path = folder.path
        switch reason {
        case ENOSPC, EDQUOT: return "The disk of the house in \(path) is full. Free space on it."
        case EROFS:
            return "The disk of the house in \(path) is read-only. Check the system's log, and mount the disk with write access."
        case EACCES, EPERM:
            var about = stat()
            guard stat(path, &about) == 0 else { break }
            if about.st_uid != geteuid() {
                let user = name(of: about.st_uid)
                let how = user.map { ": sudo -u \($0) …" } ?? "."
                return "The folder \(path) belongs to \(user ?? "the user \(about.st_uid)"). Run this as that user\(how)"
            }
            if let words = startObstacle(in: folder) { return words }
            return "The folder \(path) cannot be written to. Run: chmod 700 \(path)"
        default: break
        }
        return "The folder \(path) cannot be written to: \(String(cString: strerror(reason)))."
    }

    /// The prefixes of files that the hub itself makes there.
    private static let hubFilePrefixes = ["house.sqlite", "hub.", "tls.", "tls-backup.", "audit.size", HouseFiles.pictures, "exports"]

    private static func warning(of folder: URL, where isMeant: (_ name: String, _ path: String) -> Bool) -> String? {
        var owner = stat()
        guard stat(folder.path, &owner) == 0 else { return nil }
        var others: Set<uid_t> = []
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted().filter { name in
            let path = folder.appending(path: name).path
            var about = stat()
            guard hubFilePrefixes.contains(where: { name.hasPrefix($0) }), lstat(path, &about) == 0, about.st_uid != owner.st_uid else {
                return false
            }
            let isFile = [folderKind, fileKind].contains(about.st_mode & kind)
            guard isFile, isMeant(name, path) else { return false }
            others.insert(about.st_uid)
            return true
        }
        guard !names.isEmpty else { return nil }
        let users = others.sorted().map { name(of: $0) ?? "\($0)" }.joined(separator: ", ")
        // A user without a name has no group that chown could look up.
        let whose = name(of: owner.st_uid).map { "\($0):" } ?? "\(owner.st_uid):\(owner.st_gid)"
        return """
            Of the folder's files, \(names.joined(separator: ", ")) belong to another user (\(users)), and the hub's user may not get at them. \
            Run: sudo chown -R \(whose) \(folder.path)
            """
    }

    private static func name(of user: uid_t) -> String? { getpwuid(user).map { String(cString: $0.pointee.pw_name) } }

    private static let (kind, folderKind, fileKind): (mode_t, mode_t, mode_t) = (0o170000, 0o040000, 0o100000)
}
