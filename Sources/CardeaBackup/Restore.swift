import CExchange
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// Puts a house back from a backup: everything is read, opened and verified in a folder of its own beside the house, and only then do the two
/// folders change places, in one step. The house as it was is kept beside it for a while.
public struct Restore: Sendable {
    private let archive: URL
    private let erasures: URL?
    private let folder: URL
    private let now: Date
    private let despiteRecord: Bool
    private let acceptsUnauthenticated: Bool

    /// - Parameters:
    ///   - erasures: a list of who was erased; nil for the one that lies beside the archive, if there is one.
    ///   - folder: where the house is to be. Nobody may serve it; there need be none.
    ///   - despiteRecord: whether a house is put back whose record is damaged; that it was is put on record.
    ///   - acceptsUnauthenticated: whether a house is put back from a backup that does not prove which house made it.
    public init(
        from archive: URL, erasures: URL? = nil, into folder: URL, at now: Date, despiteRecord: Bool = false,
        acceptsUnauthenticated: Bool = false
    ) {
        self.archive = archive
        self.erasures = erasures
        // What is exchanged is the folder, and not a link to it.
        self.folder = folder.standardizedFileURL.resolvingSymlinksInPath()
        self.now = now
        self.despiteRecord = despiteRecord
        self.acceptsUnauthenticated = acceptsUnauthenticated
    }

    public enum Problem: Error, CustomStringConvertible {
        /// The backup opens, and what is in it is no whole house.
        case notWhole([String])
        case newerHouse
        /// The two folders cannot change places.
        case cannotSwap(String)
        /// Another restore is at work beside this folder.
        case underWay(String)
        case noList(String)
        /// The backup does not prove which house made it, and says that it holds this one.
        case notAuthenticated(house: String, app: String)

        public var description: String {
            switch self {
            case .notWhole(let problems):
                "The house in this backup is not whole; nothing was changed. \(problems.prefix(3).joined(separator: " "))"
            case .newerHouse: "The house in this backup was written by a newer Cardea. Install that version or newer; nothing was changed."
            case .cannotSwap(let reason):
                "The folder cannot be exchanged (\(reason)); nothing was changed. It must be no mount point: name one below it."
            case .underWay(let path): "Another house is being put back in \(path). Wait until it is done; nothing was changed."
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
        public let report: Restoration.Report
        public let madeAt: Date
        /// The id of the house that was put back.
        public let house: String
        public let isAuthenticated: Bool
        /// Where the house lies that was there before; nil where there was none.
        public let before: URL?
        public let erasures: Erasures
        /// What is wrong with the house's record; nil where it is whole.
        public let damage: String?
    }

    /// From where it is known who was erased since the backup was made.
    public struct Erasures: Hashable, Sendable {
        /// What the house said that was there before.
        public enum House: String, Hashable, Sendable {
            case none, read, unreadable
            /// It knows nobody of this one.
            case another
        }

        public let house: House
        /// The list that was read; nil where there was none.
        public let list: URL?
        /// When it was written: of later erasures it says nothing.
        public let writtenAt: Date?
    }

    /// What opens the backup, as its header asks for it.
    public enum Opener: Sendable {
        case recovery(RecoveryKey)
        /// In the forms in which it may have been taken when the backup was made, the one of today first.
        case passphrase([Secret])
    }

    /// In whose folder the restore has not come to its end, so that it may be swept away.
    private static let mark = "restore.unfinished"

    public func run(with opener: Opener, owner: String?) async throws -> Outcome {
        let above = folder.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
        // Held until the end: of two at once, the one would sweep away what the other unpacks.
        guard let lock = FolderLock(above) else { throw Problem.underWay(above.path) }
        defer { withExtendedLifetime(lock) {} }
        sweep()
        let staging = folder.deletingLastPathComponent()
            .appending(path: "\(folder.lastPathComponent).restoring-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        do {
            let header = try await Disk.run { try unpack(to: staging, with: opener) }
            let house = try await identify(staging, header)
            let (report, erasures, damage) = try await prove(staging, house: house, madeAt: header.madeAt, owner: owner)
            let before = try await Disk.run { try swap(staging) }
            return Outcome(
                report: report, madeAt: header.madeAt, house: house, isAuthenticated: header.isAuthenticated, before: before,
                erasures: erasures, damage: damage)
        } catch {
            // Marked as unfinished: what cannot be taken away now, the next restore takes.
            if isUnfinished(staging) { try? FileManager.default.removeItem(at: staging) }
            throw error
        }
    }

    // MARK: Steps

    private func unpack(to staging: URL, with opener: Opener) throws -> ArchiveHeader {
        let reader = try ArchiveReader(archive)
        let key = try key(reader.header, opener)
        try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try NewFile(staging.appending(path: Self.mark)).finish()
        var names: Set<String> = []
        try reader.read(with: key) { entry in
            guard HouseFiles.mayHold(entry.name), names.insert(entry.name).inserted else { throw ArchiveProblem.misplaced(entry.name) }
            let url = staging.appending(path: entry.name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let file = try NewFile(url)
            return { piece in piece.isEmpty ? try file.finish() : try file.append(piece) }
        }
        let missing = [HouseFiles.database, HouseFiles.sealingKey].filter { !names.contains($0) }
        guard missing.isEmpty else { throw Problem.notWhole(missing.map { "\($0) is not in it." }) }
        return reader.header
    }

    private func key(_ header: ArchiveHeader, _ opener: Opener) throws -> BackupKey {
        switch (opener, header.passphrase) {
        case (.recovery(let key), nil): return BackupKey(key)
        case (.passphrase(let forms), let recipe?):
            return try BackupKey(passphrase: forms, recipe: recipe, fingerprint: header.key)
        case (.recovery, .some):
            throw BackupFile.Problem(description: "This backup was sealed by a passphrase: name it with --passphrase-file.")
        case (.passphrase, nil):
            throw BackupFile.Problem(description: "This backup was sealed to a recovery key: name it with --recovery-key-file.")
        }
    }

    /// The id of the house in it. What is not authenticated goes no further unless that was accepted.
    private func identify(_ staging: URL, _ header: ArchiveHeader) async throws -> String {
        let database = staging.appending(path: HouseFiles.database)
        let problems = try await Store.integrityProblems(ofFile: database)
        guard problems.isEmpty else { throw Problem.notWhole(problems) }
        guard let house = try Self.look(at: database, staging).house else { throw Problem.notWhole(["It has no id."]) }
        guard header.isAuthenticated || acceptsUnauthenticated else {
            throw Problem.notAuthenticated(house: house, app: header.app)
        }
        return house
    }

    /// Whether it is a whole house of no newer program; then what it owes is done.
    private func prove(
        _ staging: URL, house id: String, madeAt: Date, owner: String?
    ) async throws -> (Restoration.Report, Erasures, damage: String?) {
        let store: Store
        do { store = try Store(folder: staging) } catch {
            if Store.isNewer(error) { throw Problem.newerHouse }
            throw error
        }
        let keys = HouseKeys(store: store, places: KeyPlaces(folder: staging, environment: [:]))
        let opened: HouseKeys.Opened
        do { opened = try await keys.open(from: .file) } catch HouseKeyProblem.another {
            throw Problem.notWhole(["Its key is another house's."])
        } catch let problem as HouseKeyProblem {
            throw Problem.notWhole([problem.description])
        }
        // Whatever is said of its record.
        if let problem = try await keys.unservable(with: opened) { throw Problem.notWhole([problem]) }
        let sealing = opened.sealing
        let damage = try await AuditVerification.problem(in: store, sealing: sealing)
        if let damage, !despiteRecord {
            throw Problem.notWhole([damage, "To have the house back all the same, add --despite-record: that it was is put on record."])
        }
        let (list, people) = try listed(by: Backups.erasureKey(of: sealing))
        let (house, others) = erased(in: id, besides: staging)
        let report = try await Restoration.apply(
            to: store, sealing: sealing, madeAt: madeAt, owner: owner, erased: people.merging(others) { $1 },
            despite: damage, at: now)
        try await store.checkpoint()
        try store.close()
        return (report, Erasures(house: house, list: list?.url, writtenAt: list?.writtenAt), damage)
    }

    /// Who has been erased by the list that was named, or that lies beside the backup. One that does not open ends it: whoever was erased
    /// would come back, and nobody would have said so.
    private func listed(by key: SealingKey) throws -> (list: (url: URL, writtenAt: Date)?, people: [String: Int64]) {
        let url = erasures ?? archive.deletingLastPathComponent().appending(path: ErasureList.name(by: key))
        guard let list = try ErasureList.read(url, key: key) else {
            if erasures != nil { throw Problem.noList(url.path) }
            return (nil, [:])
        }
        return ((url, list.writtenAt), list.people)
    }

    /// Who has been erased in the house that is there now. Where it cannot be read, it says nothing: that is what a restore is for.
    private func erased(in house: String?, besides staging: URL) -> (Erasures.House, [String: Int64]) {
        let database = folder.appending(path: HouseFiles.database)
        guard FileManager.default.fileExists(atPath: database.path) else { return (.none, [:]) }
        guard let there = try? Self.look(at: database, staging) else { return (.unreadable, [:]) }
        return there.house == house ? (.read, there.people) : (.another, [:])
    }

    private static func look(at database: URL, _ staging: URL) throws -> (house: String?, people: [String: Int64]) {
        try Store.erasures(inFile: database, scratch: staging.appending(path: "looked-at"))
    }

    /// From here on nothing is written but names.
    private func swap(_ staging: URL) throws -> URL? {
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        // A new folder is of the user whose the folder above it is.
        let model = isThere ? folder : folder.deletingLastPathComponent()
        try hand(staging, to: try FileManager.default.attributesOfItem(atPath: model.path))
        try flush(staging)
        guard unlink(staging.appending(path: Self.mark).path) == 0 else { throw problem() }
        try Folder.flush(staging)
        let above = folder.deletingLastPathComponent()
        // Where it fails, nothing has changed, and what was unpacked is marked again so that it goes. A house that somebody began to serve
        // there meanwhile is not written over: no folder takes the place of one with files in it.
        guard (isThere ? cardea_exchange(staging.path, folder.path) : rename(staging.path, folder.path)) == 0 else {
            let problem = problem()
            try NewFile(staging.appending(path: Self.mark)).finish()
            throw problem
        }
        try Folder.flush(above)
        guard isThere else { return nil }
        var moment = now
        while FileManager.default.fileExists(atPath: FormerHouses.place(of: folder, at: moment).path) { moment += 1 }
        let before = FormerHouses.place(of: folder, at: moment)
        guard rename(staging.path, before.path) == 0 else { return staging }
        try Folder.flush(above)
        return before
    }

    /// Whoever runs this may be root, and the house is somebody else's.
    private func hand(_ staging: URL, to about: [FileAttributeKey: Any]) throws {
        guard let owner = (about[.ownerAccountID] as? NSNumber)?.uint32Value,
            let group = (about[.groupOwnerAccountID] as? NSNumber)?.uint32Value, getuid() == 0, owner != 0
        else { return }
        for path in [staging.path] + (FileManager.default.subpaths(atPath: staging.path) ?? []).map({ staging.appending(path: $0).path }) {
            guard lchown(path, owner, group) == 0 else { throw problem() }
        }
    }

    private func flush(_ staging: URL) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: staging.path) {
            let place = open(staging.appending(path: name).path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            defer { close(place) }
            guard place >= 0, fsync(place) == 0 else { throw problem() }
        }
        try Folder.flush(staging)
    }

    // MARK: What an earlier one left

    private func isUnfinished(_ staging: URL) -> Bool {
        FileManager.default.fileExists(atPath: staging.appending(path: Self.mark).path)
    }

    /// Only what says of itself that it never came to its end: any other may be the house as it was.
    private func sweep() {
        let above = folder.deletingLastPathComponent()
        let prefix = "\(folder.lastPathComponent).restoring-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: above.path)) ?? [] where name.hasPrefix(prefix) {
            let left = above.appending(path: name)
            if isUnfinished(left) { try? FileManager.default.removeItem(at: left) }
        }
    }

    private func problem() -> Problem { .cannotSwap(String(cString: strerror(errno))) }
}

/// Keeps a second restore away from a folder for as long as it is there.
private final class FolderLock {
    private let descriptor: Int32

    init?(_ folder: URL) {
        descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { close(descriptor) }
}

/// A file that is not there yet, for its person alone.
private final class NewFile {
    private let url: URL
    private let descriptor: Int32
    private var isOpen = true

    init(_ url: URL) throws {
        self.url = url
        descriptor = open(url.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.problem(url) }
    }

    func append(_ data: Data) throws {
        var place = 0
        while place < data.count {
            let count = data.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + place }, bytes.count - place)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.problem(url) }
            place += count
        }
    }

    func finish() throws {
        guard fsync(descriptor) == 0 else { throw Self.problem(url) }
        isOpen = false
        guard close(descriptor) == 0 else { throw Self.problem(url) }
    }

    deinit { if isOpen { close(descriptor) } }

    private static func problem(_ url: URL) -> BackupFile.Problem {
        BackupFile.Problem(description: "\(url.path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
