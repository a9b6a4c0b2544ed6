import CardeaClient
import Crypto
import Foundation

/// The location of a replica: a file for each house and person, whose name reveals neither.
struct ReplicaFile: Sendable {
    let folder: URL

    func url(_ hub: HubAddress, _ username: String) -> URL {
        let name = SHA256.hash(data: Data("\(hub)\n\(username)".utf8)).prefix(8).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        return folder.appendingPathComponent("houses", isDirectory: true).appendingPathComponent("\(name.joined()).sqlite")
    }

    /// Deletes the replica of a house. Its pending operations are never sent.
    func remove(_ hub: HubAddress, _ username: String) throws {
        let file = url(hub, username)
        for path in ["", "-wal", "-shm"].map({ file.path + $0 }) where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
