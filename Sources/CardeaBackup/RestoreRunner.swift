import CLinux
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// Restores a house from a backup: everything is read, opened and verified in a folder of its own beside the house, and only then the two
/// folders are exchanged, in one step. The earlier house is kept beside it for a while.
public struct RestoreRunner: Sendable {
    private let archive: URL
    private let erasures: URL?
    private let folder: URL
    private let now: Date
    private let despiteRecord: Bool
    private let acceptsUnauthenticated: Bool

    /// - Parameters:
    ///   - erasures: a list of erased people; nil for the one beside the archive, if there is one.
    ///   - folder: the folder for the house. It must not be in use, and need not exist.
    ///   - despiteRecord: true to restore a house whose audit log is damaged; that is recorded in the audit log.
    ///   - acceptsUnauthenticated: true to restore from a backup that does not prove which house made it.
    public init(
        from archive: URL, erasures: URL? = nil, into folder: URL, at now: Date, despiteRecord: Bool = false,
        acceptsUnauthenticated: Bool = false
    ) {
        self.archive = archive
        self.erasures = erasures
        // The folder is exchanged, and not a link to it.
        self.folder = folder.standardizedFileURL.resolvingSymlinksInPath()
        self.now = now
        self.despiteRecord = despiteRecord
        self.acceptsUnauthenticated = acceptsUnauthenticated
    }

    public enum RestoreError: Error, CustomStringConvertible {
        /// The backup opens, and its content is not a complete house.
        case notWhole([String])
        case newerHouse
        /// The two folders cannot change places.
        case cannotSwap(String)
        /// Another restore is at work beside this folder.
        case underWay(String)
        case noList(String)
        /// The backup does not prove which house made it, and claims to be of this one.
        case notAuthenticated(house: String, app: String)

        public var description: String {
            switch self {
            case .notWhole(let problems):
                "The house in this backup is damaged. Nothing was changed. \(problems.prefix(3).joined(separator: " "))"
            case .newerHouse: "The house in this backup was written by a newer Cardea. Install that version or newer. Nothing was changed."
            case .cannotSwap(let reason):
                "The folder cannot be replaced (\(reason)). Nothing was changed. A mount point cannot be replaced: choose a folder below it."
            case .underWay(let path): "Another restore is running in \(path). Nothing was changed. Wait until it is done."
            case .noList(let path): "There is no list of erasures \(path). Nothing was changed."
            case .notAuthenticated(let house, let app):
                """
                This backup of the house \(house) is not authenticated: version \(app) made it, which did not authenticate backups, or did so only \
                with a newer recovery key. Anybody who could write to the place where it lay may have made it. Nothing was changed. If you \
                kept it yourself and the id is your house's, add --accept-unauthenticated.
                """
            }
        }
    }

    public struct Outcome: Sendable {
        public let report: PostRestoreReconciliation.Report
        public let madeAt: Date
        /// The id of the restored house.
        public let house: String
        public let isAuthenticated: Bool
        /// The path of the house that was there before; nil if there was none.
        public let before: URL?
        public let erasures: ErasureSources
        /// The problem with the house's audit log; nil if it is intact.
        public let damage: String?
    }

    /// From where it is known who was erased since the backup was made.
    public struct ErasureSources: Hashable, Sendable {
        /// The result of reading the erasures of the house that was there before.
        public enum House: String, Hashable, Sendable {
            case none, read, unreadable
            /// Another house: its erasures do not concern this one.
            case another
        }

        public let house: House
        /// The list that was read; nil if there was none.
        public let list: URL?
        /// When it was written: it does not contain later erasures.
        public let writtenAt: Date?
    }

    /// The key or passphrase that opens the backup, as its header requires.
    public enum UnlockMethod: Sendable {
        case recovery(RecoveryKey)
        /// In every form that may have been used for the backup, today's form first.
        case passphrase([Secret])
    }

    /// Marks a folder whose restore is not complete, so that it may be deleted.
    private static let unfinishedMarker = "restore.unfinished"

    public func run(with opener: UnlockMethod, owner: String?) async throws -> Outcome {
        let above = folder.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
        // Held until the end: of two concurrent restores, one would delete what the other unpacks.
        guard let lock = FolderLock(above) else { throw RestoreError.underWay(above.path) }
        defer { withExtendedLifetime(lock) {} }
        removeUnfinished()
        let staging = folder.deletingLastPathComponent()
            .appending(path: "\(folder.lastPathComponent).restoring-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        do {
            let header = try await BlockingIO.run { try unpack(to: staging, with: opener) }
            let house = try await readHouseID(staging, header)
            let (report, erasures, damage) = try await verify(staging, house: house, madeAt: header.createdAt, owner: owner)
            let before = try await BlockingIO.run { try swap(staging) }
            return Outcome(
                report: report, madeAt: header.createdAt, house: house, isAuthenticated: header.isAuthenticated, before: before,
                erasures: erasures, damage: damage)
        } catch {
            // Marked as unfinished: if it cannot be deleted now, the next restore does it.
            if isUnfinished(staging) { try? FileManager.default.removeItem(at: staging) }
            throw error
        }
    }

    // MARK: Steps

    private func unpack(to staging: URL, with opener: UnlockMethod) throws -> ArchiveHeader {
        let reader = try ArchiveReader(archive)
        let key = try key(reader.header, opener)
        try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try ExclusiveFile(staging.appending(path: Self.unfinishedMarker)).finish()
        var names: Set<String> = []
        try reader.read(with: key) { entry in
            guard HouseFiles.mayHold(entry.name), names.insert(entry.name).inserted else { throw ArchiveError.misplaced(entry.name) }
            let url = staging.appending(path: entry.name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let file = try ExclusiveFile(url)
            return { piece in piece.isEmpty ? try file.finish() : try file.append(piece) }
        }
        let missing = [HouseFiles.database, HouseFiles.sealingKey].filter { !names.contains($0) }
        guard missing.isEmpty else { throw RestoreError.notWhole(missing.map { "\($0) is not in it." }) }
        return reader.header
    }

    private func key(_ header: ArchiveHeader, _ opener: UnlockMethod) throws -> BackupKey {
        switch (opener, header.passphrase) {
        case (.recovery(let key), nil): return BackupKey(key)
        case (.passphrase(let forms), let recipe?):
            return try BackupKey(passphrase: forms, recipe: recipe, fingerprint: header.key)
        case (.recovery, .some):
            throw BackupFile.FileError(description: "This backup is encrypted with a passphrase. Give it with --passphrase-file.")
        case (.passphrase, nil):
            throw BackupFile.FileError(description: "This backup is encrypted with a recovery key. Give it with --recovery-key-file.")
        }
    }

    /// Returns the id of the house in it. An unauthenticated backup is refused unless that was accepted.
    private func readHouseID(_ staging: URL, _ header: ArchiveHeader) async throws -> String {
        let database = staging.appending(path: HouseFiles.database)
        let problems = try await Store.integrityProblems(ofFile: database)
        guard problems.isEmpty else { throw RestoreError.notWhole(problems) }
        guard let house = try Self.inspect(at: database, staging).house else { throw RestoreError.notWhole(["It has no id."]) }
        guard header.isAuthenticated || acceptsUnauthenticated else {
            throw RestoreError.notAuthenticated(house: house, app: header.app)
        }
        return house
    }

    /// Verifies that the folder is a complete house of a version that is not newer, and performs its outstanding erasures and
    /// reconciliation.
    private func verify(
        _ staging: URL, house id: String, madeAt: Date, owner: String?
    ) async throws -> (PostRestoreReconciliation.Report, ErasureSources, damage: String?) {
        let store: Store
        do { store = try Store(folder: staging) } catch {
            if Store.isSchemaTooNew(error) { throw RestoreError.newerHouse }
            throw error
        }
        let keys = HouseKeys(store: store, places: KeyLocations(folder: staging, environment: [:]))
        let opened: HouseKeys.UnlockedKey
        do { opened = try await keys.open(from: .file) } catch HouseKeyError.wrongKey {
            throw RestoreError.notWhole(["Its key is another house's."])
        } catch let problem as HouseKeyError {
            throw RestoreError.notWhole([problem.description])
        }
        // In any state of the audit log.
        if let problem = try await keys.servingProblem(with: opened) { throw RestoreError.notWhole([problem]) }
        let sealing = opened.sealing
        let damage = try await AuditVerification.problem(in: store, sealing: sealing)
        if let damage, !despiteRecord {
            throw RestoreError.notWhole([
                damage, "To restore the house anyway, add --despite-record. This is recorded in the audit log.",
            ])
        }
        let (list, people) = try readErasureList(by: BackupRegistry.erasureKey(of: sealing))
        let (house, others) = readErasures(in: id, besides: staging)
        let report = try await PostRestoreReconciliation.apply(
            to: store, sealing: sealing, madeAt: madeAt, owner: owner, erased: people.merging(others) { $1 },
            despite: damage, at: now)
        try await store.checkpoint()
        try store.close()
        return (report, ErasureSources(house: house, list: list?.url, writtenAt: list?.writtenAt), damage)
    }

    /// Returns the erased people from the list that was given, or that is beside the backup. A list that does not open ends the restore:
    /// otherwise erased people would return unnoticed.
    private func readErasureList(by key: SealingKey) throws -> (list: (url: URL, writtenAt: Date)?, people: [String: Int64]) {
        let url = erasures ?? archive.deletingLastPathComponent().appending(path: ErasureList.name(by: key))
        guard let list = try ErasureList.read(url, key: key) else {
            if erasures != nil { throw RestoreError.noList(url.path) }
            return (nil, [:])
        }
        return ((url, list.writtenAt), list.people)
    }

    /// Returns the people who were erased in the house that is there now. A house that cannot be read does not stop the restore.
    private func readErasures(in house: String?, besides staging: URL) -> (ErasureSources.House, [String: Int64]) {
        let database = folder.appending(path: HouseFiles.database)
        guard FileManager.default.fileExists(atPath: database.path) else { return (.none, [:]) }
        guard let there = try? Self.inspect(at: database, staging) else { return (.unreadable, [:]) }
        return there.house == house ? (.read, there.people) : (.another, [:])
    }

    private static func inspect(at database: URL, _ staging: URL) throws -> (house: String?, people: [String: Int64]) {
        try Store.erasures(inFile: database, scratch: staging.appending(path: "looked-at"))
    }

    /// From here on nothing is written but names.
    private func swap(_ staging: URL) throws -> URL? {
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        // A new folder gets the owner of the folder above it.
        let model = isThere ? folder : folder.deletingLastPathComponent()
        try transferOwnership(staging, to: try FileManager.default.attributesOfItem(atPath: model.path))
        try flush(staging)
        guard unlink(staging.appending(path: Self.unfinishedMarker).path) == 0 else { throw swapError() }
        try FolderSync.flush(staging)
        let above = folder.deletingLastPathComponent()
        // If it fails, nothing has changed, and the unpacked files are marked again for deletion. A house that came into use there
        // meanwhile is not overwritten: a folder cannot replace one with files in it.
        guard (isThere ? cardea_exchange(staging.path, folder.path) : rename(staging.path, folder.path)) == 0 else {
            let problem = swapError()
            try ExclusiveFile(staging.appending(path: Self.unfinishedMarker)).finish()
            throw problem
        }
        try FolderSync.flush(above)
        guard isThere else { return nil }
        var moment = now
        while FileManager.default.fileExists(atPath: ReplacedHouseCleanup.replacedHouseURL(of: folder, at: moment).path) { moment += 1 }
        let before = ReplacedHouseCleanup.replacedHouseURL(of: folder, at: moment)
        guard rename(staging.path, before.path) == 0 else { return staging }
        try FolderSync.flush(above)
        return before
    }

    /// Gives the files to the owner of the house if this process runs as root.
    private func transferOwnership(_ staging: URL, to about: [FileAttributeKey: Any]) throws {
        guard let owner = (about[.ownerAccountID] as? NSNumber)?.uint32Value,
            let group = (about[.groupOwnerAccountID] as? NSNumber)?.uint32Value, getuid() == 0, owner != 0
        else { return }
        for path in [staging.path] + (FileManager.default.subpaths(atPath: staging.path) ?? []).map({ staging.appending(path: $0).path }) {
            guard lchown(path, owner, group) == 0 else { throw swapError() }
        }
    }

    private func flush(_ staging: URL) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: staging.path) {
            let place = open(staging.appending(path: name).path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            defer { close(place) }
            guard place >= 0, fsync(place) == 0 else { throw swapError() }
        }
        try FolderSync.flush(staging)
    }

    // MARK: Leftovers of an earlier restore

    private func isUnfinished(_ staging: URL) -> Bool {
        FileManager.default.fileExists(atPath: staging.appending(path: Self.unfinishedMarker).path)
    }

    /// Only folders marked as unfinished: any other may be the earlier house.
    private func removeUnfinished() {
        let above = folder.deletingLastPathComponent()
        let prefix = "\(folder.lastPathComponent).restoring-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: above.path)) ?? [] where name.hasPrefix(prefix) {
            let left = above.appending(path: name)
            if isUnfinished(left) { try? FileManager.default.removeItem(at: left) }
        }
    }

    private func swapError() -> RestoreError { .cannotSwap(String(cString: strerror(errno))) }
}

/// Prevents a second restore into a folder during its lifetime.
private final class FolderLock {
    private let descriptor: Int32

    init?(_ folder: URL) {
        descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { close(descriptor) }
}

/// A file that is not there yet, for its person alone.
private final class ExclusiveFile {
    private let url: URL
    private let descriptor: Int32
    private var isOpen = true

    init(_ url: URL) throws {
        self.url = url
        descriptor = open(url.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.fileError(url) }
    }

    func append(_ data: Data) throws {
        var place = 0
        while place < data.count {
            let count = data.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + place }, bytes.count - place)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.fileError(url) }
            place += count
        }
    }

    func finish() throws {
        guard fsync(descriptor) == 0 else { throw Self.fileError(url) }
        isOpen = false
        guard close(descriptor) == 0 else { throw Self.fileError(url) }
    }

    deinit { if isOpen { close(descriptor) } }

    private static func fileError(_ url: URL) -> BackupFile.FileError {
        BackupFile.FileError(description: "\(url.path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
