import Foundation

/// The files of a data folder that belong in a backup. The lock, the socket and SQLite's companion files do not.
enum HouseFiles {
    static let database = "house.sqlite"
    static let sealingKey = "hub.key"
    /// Beside the database, in this order. All are small, and all but the first may be missing.
    static let keys = [sealingKey, "tls.key", "tls-backup.key", "tls.crt"]
    static let pictures = "pictures"
    /// The copy of the database that is sealed; deleted before the next one is made.
    static let workingCopy = "backup.working"

    /// Returns whether a backup may hold a file of this name. A backup with any other file is refused as a whole.
    static func mayHold(_ name: String) -> Bool {
        if name == database || keys.contains(name) { return true }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == pictures else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...100).contains(part.utf8.count) && part.first != "."
                && part.utf8.allSatisfy { $0 < 128 && (isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")) }
        }
    }

    private static func isLetterOrDigit(_ unit: UInt8) -> Bool {
        switch unit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }

    /// The stored pictures, by name and size. One that is still being written has another name, and is omitted.
    static func pictures(in folder: URL) throws -> [(name: String, size: UInt64)] {
        let root = folder.appending(path: pictures)
        guard FileManager.default.fileExists(atPath: root.path) else { return [] }
        var found: [(name: String, size: UInt64)] = []
        for shelf in try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() {
            // A subfolder may be emptied and deleted meanwhile.
            for file in ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: shelf).path)) ?? []).sorted() {
                let name = "\(pictures)/\(shelf)/\(file)"
                guard file.split(separator: ".").count == 2, mayHold(name) else { continue }
                guard let attributes = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path),
                    let size = attributes[.size] as? NSNumber
                else { continue }
                found.append((name, size.uint64Value))
            }
        }
        return found
    }
}
