import Crypto
import Foundation

/// The key in a file of mode 0600, made at the first start.
public enum KeyFile {
    public static func openOrCreate(at url: URL) throws(KeyFileError) -> SealingKey {
        if let key = try existing(at: url) { return key }
        // Written completely under another name, then linked into place: two concurrent starts agree on one key, and a crash leaves no
        // partial file.
        do {
            let draft = try PrivateFile(url).makeTemporaryFile()
            defer { draft.discard() }
            try draft.append(SecretGenerator.randomBytes(32))
            try draft.finishIfAbsent()
        } catch {
            throw .unreadable(path: url.path, reason: "the folder cannot be written to")
        }
        guard let key = try existing(at: url) else {
            throw .unreadable(path: url.path, reason: "nothing can be put there")
        }
        return key
    }

    /// The existing key; nil if there is none. Makes none.
    public static func existing(at url: URL) throws(KeyFileError) -> SealingKey? {
        try bytes(at: url, closedTo: 0o077).map { (bytes) throws(KeyFileError) in try SealingKey(bytes: bytes) }
    }

    /// The key that systemd gives as a credential. Its folder is closed to other users; where the system's manager gives it, an access list
    /// names the service's user, and the apparent read right of the group is that list's mask.
    public static func credential(at url: URL) throws(KeyFileError) -> SealingKey? {
        try bytes(at: url, closedTo: 0o007).map { (bytes) throws(KeyFileError) in try SealingKey(bytes: bytes) }
    }

    /// - Parameter others: the mode bits that must not be set.
    static func bytes(at url: URL, closedTo others: Int) throws(KeyFileError) -> Data? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            guard let mode = attributes[.posixPermissions] as? NSNumber, mode.intValue & others == 0 else {
                throw KeyFileError.readableByOthers(path: url.path)
            }
            return try Data(contentsOf: url)
        } catch let problem as KeyFileError {
            throw problem
        } catch {
            throw .unreadable(path: url.path, reason: error.localizedDescription)
        }
    }
}
