import ArgumentParser
import CardeaBackup
import Foundation

/// The folder that holds one house, and the lock that keeps two hubs out of it. What root makes in it belongs to the folder's owner.
final class HouseFolder {
    let url: URL
    let reserve: StartupReserve
    private let lock: Int32
    private var hasReleasedReserve = false

    init(at path: String) throws {
        url = URL(filePath: path, directoryHint: .isDirectory)
        reserve = StartupReserve(in: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        lock = open(url.appending(path: "hub.lock").path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw ValidationError(FolderOwnership.creationFailure(of: url, because: errno)) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw ValidationError("Another hub serves the house in \(path). Stop it first, or name another folder with --data.")
        }
        // The lock itself is such a file, and what an earlier program left.
        FolderOwnership.transfer(url)
        if let words = FolderOwnership.startObstacle(in: url) { throw ValidationError(words) }
    }

    /// Gives up the room that is kept for a start, where there is little other, and what a broken backup has left.
    ///
    /// - Returns: whether there is little.
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
