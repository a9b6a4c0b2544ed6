import Crypto
import Foundation

enum PrivateFile {
    /// Writes a file that only its owner may read, and syncs it to the disk.
    static func write(_ data: Data, to url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw IdentityError.unreadable(path: url.path, what: "a place that can be written to")
        }
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: data)
        try file.synchronize()
        try file.close()
    }
}
