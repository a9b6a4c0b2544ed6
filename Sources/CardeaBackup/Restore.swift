import CExchange
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// Puts a house back from a backup: everything is read, opened and verified in a folder of its own beside the house, and only then do the two
/// folders change places, in one step. The house as it was is kept beside it.
public struct Restore: Sendable {
    private let archive: URL
    private let folder: URL
    private let now: Date

    /// - Parameter folder: where the house is to be. Nobody may serve it; there need be none.
    public init(from archive: URL, into folder: URL, at now: Date) {
        self.archive = archive
        // What is exchanged is the folder, and not a link to it.
        self.folder = folder.standardizedFileURL.resolvingSymlinksInPath()
        self.now = now
    }

    public enum Problem: Error, CustomStringConvertible {
        /// The backup opens, and what is in it is no whole house.
        case notWhole([String])
        case newerHouse
        /// The two folders cannot change places.
        case cannotSwap(String)

        public var description: String {
            switch self {
            case .notWhole(let problems):
                "The house in this backup is not whole; nothing was changed. \(problems.prefix(3).joined(separator: " "))"
            case .newerHouse: "The house in this backup was written by a newer Cardea. Install that version or newer; nothing was changed."
            case .cannotSwap(let reason):
                "The folder cannot be exchanged (\(reason)); nothing was changed. It must be no mount point: name one below it."
            }
        }
    }

    public struct Outcome: Sendable {
        public let report: Restoration.Report
        public let madeAt: Date
        /// Where the house lies that was there before; nil where there was none.
        public let before: URL?
    }

    /// What opens the backup, as its header asks for it.
    public enum Opener: Sendable {
        case recovery(RecoveryKey)
        case passphrase(Secret)
    }

    /// In whose folder the restore has not come to its end, so that it may be swept away.
    private static let mark = "restore.unfinished"

    public func run(with opener: Opener, owner: String?) async throws -> Outcome {
        sweep()
        let staging = folder.deletingLastPathComponent()
            .appending(path: "\(folder.lastPathComponent).restoring-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        do {
            let madeAt = try await Disk.run { try unpack(to: staging, with: opener) }
            let report = try await prove(staging, madeAt: madeAt, owner: owner)
            let before = try await Disk.run { try swap(staging) }
            return Outcome(report: report, madeAt: madeAt, before: before)
        } catch {
            // Marked as unfinished: what cannot be taken away now, the next restore takes.
            if isUnfinished(staging) { try? FileManager.default.removeItem(at: staging) }
            throw error
        }
    }

    // MARK: Steps

    private func unpack(to staging: URL, with opener: Opener) throws -> Date {
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
        return reader.header.madeAt
    }

    private func key(_ header: ArchiveHeader, _ opener: Opener) throws -> BackupKey {
        switch (opener, header.passphrase) {
        case (.recovery(let key), nil): return BackupKey(key)
        case (.passphrase(let text), let recipe?): return try BackupKey(passphrase: text, recipe: recipe)
        case (.recovery, .some):
            throw BackupFile.Problem(description: "This backup was sealed by a passphrase: name it with --passphrase-file.")
        case (.passphrase, nil):
            throw BackupFile.Problem(description: "This backup was sealed to a recovery key: name it with --recovery-key-file.")
        }
    }

    /// Whether it is a whole house of no newer program; then what it owes is done.
    private func prove(_ staging: URL, madeAt: Date, owner: String?) async throws -> Restoration.Report {
        var problems = try await Store.integrityProblems(ofFile: staging.appending(path: HouseFiles.database))
        guard problems.isEmpty else { throw Problem.notWhole(problems) }
        let store: Store
        do { store = try Store(folder: staging) } catch {
            if Store.isNewer(error) { throw Problem.newerHouse }
            throw error
        }
        let sealing: SealingKey
        do {
            sealing = try await HouseKeys(store: store, places: KeyPlaces(folder: staging, environment: [:])).open(from: .file).sealing
        } catch HouseKeyProblem.another { throw Problem.notWhole(["Its key is another house's."]) }
        problems = try await AuditVerification.problem(in: store, sealing: sealing).map { [$0] } ?? []
        guard problems.isEmpty else { throw Problem.notWhole(problems) }
        let report = try await Restoration.apply(
            to: store, sealing: sealing, madeAt: madeAt, owner: owner, erased: erased(besides: staging), at: now)
        try await store.checkpoint()
        try store.close()
        return report
    }

    /// Who has been erased in the house that is there now. Where it cannot be read, nobody can say: it is what a restore is for.
    private func erased(besides staging: URL) -> [String: Int64] {
        do {
            return try Store.erasures(inFile: folder.appending(path: HouseFiles.database), scratch: staging.appending(path: "looked-at"))
        } catch { return [:] }
    }

    /// From here on nothing is written but names.
    private func swap(_ staging: URL) throws -> URL? {
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        if isThere { try hand(staging, to: try FileManager.default.attributesOfItem(atPath: folder.path)) }
        try flush(staging)
        guard unlink(staging.appending(path: Self.mark).path) == 0 else { throw problem() }
        try Folder.flush(staging)
        let above = folder.deletingLastPathComponent()
        guard isThere else {
            guard rename(staging.path, folder.path) == 0 else { throw problem() }
            try Folder.flush(above)
            return nil
        }
        // Where it fails, nothing has changed, and what was unpacked is marked again so that it goes.
        guard cardea_exchange(staging.path, folder.path) == 0 else {
            let problem = problem()
            try NewFile(staging.appending(path: Self.mark)).finish()
            throw problem
        }
        try Folder.flush(above)
        let stamp = now.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        let before = above.appending(path: "\(folder.lastPathComponent).before-\(stamp)", directoryHint: .isDirectory)
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

/// A file that is not there yet, for its person alone.
private final class NewFile {
    private let handle: FileHandle

    init(_ url: URL) throws {
        let descriptor = open(url.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw BackupFile.Problem(description: "\(url.path) cannot be written: \(String(cString: strerror(errno)))")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func append(_ data: Data) throws { try handle.write(contentsOf: data) }

    func finish() throws {
        try handle.synchronize()
        try handle.close()
    }
}
