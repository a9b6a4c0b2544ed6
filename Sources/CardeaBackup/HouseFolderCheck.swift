import CardeaModel
import CardeaSecurity
import Foundation

/// Checks a house's folder without opening the house, whether it is served or not: free disk space, owners of the files, the backup folder,
/// and who may read the files. Each warning says how to mend it.
public enum HouseFolderCheck {
    public static func warnings(of folder: URL) -> [String] {
        do {
            let about = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
            let room = (about[.systemFreeSize] as? NSNumber).flatMap { free in
                (about[.systemSize] as? NSNumber).flatMap { warning(free: free.int64Value, of: $0.int64Value) }
            }
            let others = [room, FolderOwnership.warning(of: folder), BackupLocation.warning(of: folder)]
            return try others.compactMap(\.self) + permissionWarnings(of: folder)
        } catch {
            return ["\(folder.path) cannot be looked at: \(error.localizedDescription) Run this as the hub's own user, or as root."]
        }
    }

    /// With less, there is soon none.
    static let minimumFreeBytes: Int64 = 500_000_000
    static let minimumFreeShare = 0.05

    static func warning(free: Int64, of total: Int64) -> String? {
        guard free < minimumFreeBytes || Double(free) < minimumFreeShare * Double(total) else { return nil }
        let stopped = DiskSpace(free: free, size: total).isLow(wasLow: false) ? " Until then pictures, detections and backups stop." : ""
        return """
            Of the \(total.formatted(.byteCount(style: .file))) of the house's disk, \(free.formatted(.byteCount(style: .file))) are free. \
            Free space on it: when it is full, no door opens, since nothing can be written to the audit log.\(stopped)
            """
    }

    /// The folder keeps others from all that lies in it; keys keep themselves, too, since they are copied one by one.
    private static func permissionWarnings(of folder: URL) throws -> [String] {
        var warnings: [String] = []
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let mode = Self.mode(of: folder)
        if mode & 0o077 != 0 {
            let open = names.filter { Self.mode(of: folder.appending(path: $0)) & 0o044 != 0 }
            let reading = open.isEmpty || mode & 0o011 == 0 ? "" : ", and read \(open.joined(separator: ", ")) there"
            let what = mode & 0o022 != 0 ? "put files of theirs into" : "look into"
            warnings.append("Others may \(what) \(folder.path)\(reading). Run: chmod 700 \(folder.path)")
        }
        for name in HouseFiles.keys where name.hasSuffix(".key") && names.contains(name) {
            let file = folder.appending(path: name)
            guard Self.mode(of: file) & 0o077 != 0 else { continue }
            warnings.append(
                name == HouseFiles.sealingKey
                    ? KeyFileError.readableByOthers(path: file.path).description
                    : "The key \(file.path) may be read by others. Run: chmod 600 \(file.path)")
        }
        return warnings
    }

    /// A file that is gone meanwhile cannot be read by anyone.
    private static func mode(of url: URL) -> Int {
        let about = try? FileManager.default.attributesOfItem(atPath: url.path)
        return (about?[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }
}
