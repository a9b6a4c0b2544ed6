import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import Dispatch
import Foundation

/// Makes a backup of a house: its database at one moment, its keys, its pictures. The house keeps running.
public struct BackupRunner: Sendable {
    private let store: Store
    let folder: URL
    private let key: KeyEncryptionKey
    private let backups: BackupRegistry
    private let app: String

    /// - Parameters:
    ///   - folder: the house's own.
    ///   - key: what opens the house, wherever it lies: who holds the backup on another machine has no other.
    ///   - backups: what knows whether the house in a copy is whole.
    ///   - app: the version of the program.
    public init(store: Store, folder: URL, key: KeyEncryptionKey, backups: BackupRegistry, app: String) {
        self.store = store
        self.folder = folder
        self.key = key
        self.backups = backups
        self.app = app
    }

    /// Its progress.
    public struct Progress: Codable, Hashable, Sendable {
        public enum Stage: String, Codable, Sendable { case copying, checking, sealing }

        public let stage: Stage
        /// 0 to 1.
        public let done: Double
    }

    /// The receipt of a backup.
    public struct Receipt: Codable, Hashable, Sendable {
        public let madeAt: Date
        public let bytes: Int64
        /// SHA-256 of the whole file, as hex.
        public let digest: String
        public let pictures: Int
        /// The fingerprint of the key that opens it.
        public let key: String
        /// The problem with the audit log in it; nil if it is intact.
        public let damage: String?
        /// nil from an older hub, which authenticates none.
        public let isAuthenticated: Bool?
    }

    /// The copy is not whole, and so the house itself is not.
    public struct DamagedDatabaseError: Error, CustomStringConvertible {
        public let problems: [String]
        public var description: String { "The house's own database is damaged: \(problems.prefix(3).joined(separator: "; "))" }
    }

    /// Makes a backup, and passes it to `sink` piece by piece.
    ///
    /// - Parameters:
    ///   - sink: takes the next piece; it may block.
    ///   - progress: called now and then.
    /// - Throws: `DamagedDatabaseError` or `BackupRegistry.UnrestorableError` if a backup of the house would be worthless,
    ///   `InsufficientSpaceError`, `DiskReserve.LowDiskSpaceError` if the disk fills up meanwhile, or an error of `sink`.
    public func run(
        for lock: BackupRecipient, at now: Date, progress: @escaping @Sendable (Progress) -> Void = { _ in },
        to sink: @escaping @Sendable (Data) throws -> Void
    ) async throws -> Receipt {
        try backups.requireRoom()
        try requireSpace()
        let working = folder.appending(path: "\(HouseFiles.workingCopy)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: working, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: working) }
        let copy = working.appending(path: HouseFiles.database)
        try await store.copy(to: copy) { progress(Progress(stage: .copying, done: $0)) }
        progress(Progress(stage: .checking, done: 0))
        let problems = try await Store.integrityProblems(ofFile: copy)
        guard problems.isEmpty else { throw DamagedDatabaseError(problems: problems) }
        // SQLite does not notice a flipped bit in an audit entry. Such a backup is better than none, and its owner must know.
        let damage = try await backups.damage(inCopy: copy, openedBy: key)
        let header = ArchiveHeader(at: now, app: app, lock: lock)
        let guarded: @Sendable (Data) throws -> Void = { [backups] piece in
            try backups.requireRoom()
            try sink(piece)
        }
        return try await BlockingIO.run { try seal(header, lock, copy, damage, progress, guarded) }
    }

    /// Bytes that a backup leaves on the disk at least, however small that is.
    private static let minimumFreeSpace: Int64 = 64 << 20

    /// The house's disk needs room for a copy: on a full disk no door would open, since nothing could be recorded in the audit log.
    private func requireSpace() throws {
        let files = FileManager.default
        let size = try [HouseFiles.database, "\(HouseFiles.database)-wal"].reduce(Int64(0)) { sum, name in
            let path = folder.appending(path: name).path
            return files.fileExists(atPath: path)
                ? sum + ((try files.attributesOfItem(atPath: path)[.size] as? NSNumber)?.int64Value ?? 0) : sum
        }
        guard let space = DiskSpace(fileSystemOf: folder) else { return }
        let wanted = 2 * size + max(Self.minimumFreeSpace, space.reserve)
        guard space.free >= wanted else { throw InsufficientSpaceError(free: space.free, wanted: wanted) }
    }

    /// The disk of the house is too full for a copy of it.
    public struct InsufficientSpaceError: Error, CustomStringConvertible {
        public let free: Int64
        public let wanted: Int64

        public var description: String {
            "The disk has no space for a copy of the house: \(free.formatted(.byteCount(style: .file))) are free, "
                + "\(wanted.formatted(.byteCount(style: .file))) are needed. Free space on the disk. Nothing was changed."
        }
    }

    /// Deletes the remains of a backup that a crash interrupted. To be called while none is being made.
    public static func removeLeftovers(_ folder: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where name.hasPrefix(HouseFiles.workingCopy) {
            // A file that cannot be deleted does no harm, and is tried again the next time.
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    private func seal(
        _ header: ArchiveHeader, _ lock: BackupRecipient, _ copy: URL, _ damage: String?, _ progress: (Progress) -> Void,
        _ sink: @escaping (Data) throws -> Void
    ) throws -> Receipt {
        let writer = try ArchiveWriter(header, lock: lock, sink: sink)
        // After the database: pictures added since then belong to none of its rows, and the restored hub deletes them at its start.
        let pictures = try HouseFiles.pictures(in: folder)
        let total = Double(pictures.reduce(try size(of: copy)) { $0 + $1.size }).rounded()
        var done = 0.0
        func passed(_ bytes: Int64) {
            done += Double(bytes)
            progress(Progress(stage: .sealing, done: min(1, done / max(1, total))))
        }
        try writer.add(HouseFiles.sealingKey, bytes: key.reveal())
        for name in HouseFiles.keys where name != HouseFiles.sealingKey {
            let url = folder.appending(path: name)
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            try writer.add(name, from: FileHandle(forReadingFrom: url), size: size(of: url))
        }
        try writer.add(HouseFiles.database, from: FileHandle(forReadingFrom: copy), size: size(of: copy), passed: passed)
        var count = 0
        for picture in pictures {
            // A picture that was deleted meanwhile is skipped: its event is deleted with it.
            guard let file = FileHandle(forReadingAtPath: folder.appending(path: picture.name).path) else { continue }
            try writer.add(picture.name, from: file, size: picture.size, passed: passed)
            count += 1
        }
        let digest = try writer.finish()
        return Receipt(
            madeAt: header.createdAt, bytes: writer.bytes, digest: digest, pictures: count, key: header.key, damage: damage,
            isAuthenticated: header.isAuthenticated)
    }

    private func size(of url: URL) throws -> UInt64 {
        (try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.uint64Value ?? 0
    }
}

/// Files wait for the disk, and the cooperative pool has one thread for each core.
enum BlockingIO {
    private static let queue = DispatchQueue(label: "cardea.backup", attributes: .concurrent)

    static func run<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { waiting in
            queue.async { waiting.resume(with: Result(catching: body)) }
        }
    }
}
