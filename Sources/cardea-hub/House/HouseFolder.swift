import ArgumentParser
import CardeaBackup
import Foundation

/// The folder that holds one house, and the lock that keeps two hubs out of it. Files that root creates in it belong to the folder's owner.
final class HouseFolder {
    let url: URL
    let reserve: StartupDiskReserve
    private let lock: Int32
    private var hasReleasedReserve = false

    init(at path: String) throws {
        url = URL(filePath: path, directoryHint: .isDirectory)
        reserve = StartupDiskReserve(in: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        lock = open(url.appending(path: "hub.lock").path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw ValidationError(FolderOwnership.creationFailure(of: url, because: errno)) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw ValidationError("Another hub serves the house in \(path). Stop it first, or name another folder with --data.")
        }
        // The lock itself is such a file, and so are an earlier program's files.
        FolderOwnership.transfer(url)
        if let words = FolderOwnership.startObstacle(in: url) { throw ValidationError(words) }
    }

    /// Frees the space reserved for a start if the disk is nearly full, and deletes the rest of an interrupted backup.
    ///
    /// - Returns: true if the disk is nearly full.
    func freeSpace() -> Bool {
        BackupRunner.removeLeftovers(url)
        hasReleasedReserve = reserve.release()
        return hasReleasedReserve
    }

    deinit {
        if hasReleasedReserve { reserve.allocate() }
        FolderOwnership.transfer(url)
        close(lock)
    }
}
