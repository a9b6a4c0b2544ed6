import CardeaHub
import CardeaModel
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// Keeps the list of who was erased beside the backups: it is written as the hub starts, after each erasure and with each backup.
public struct ErasureKeeper: Service {
    private let folder: URL
    /// nil for a house in memory.
    private let place: BackupPlace?
    private let backups: Backups
    private let surroundings: Surroundings
    private let logger: Logger
    /// Where the list lies.
    public let list: URL
    private let news = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Seconds after which it is tried again where it could not be written.
    static let rest: TimeInterval = 60

    public init(in folder: URL, of store: Store, backups: Backups, surroundings: Surroundings, logger: Logger) throws {
        self.folder = folder
        place = store.folder.map { BackupPlace(folder, of: $0) }
        self.backups = backups
        self.surroundings = surroundings
        self.logger = logger
        list = folder.appending(path: ErasureList.name(by: try backups.erasureKey()))
        let news = news.continuation
        store.onCommit { rows in
            if rows.contains(where: { $0.kind == .personErased }) { news.yield() }
        }
    }

    /// Has it written anew.
    func ask() { news.continuation.yield() }

    public func run() async throws {
        ask()
        for await _ in news.stream.cancelOnGracefulShutdown() {
            do { try await write() } catch is CancellationError { return } catch {
                logger.warning("the list of erasures could not be written", metadata: ["error": "\(type(of: error))"])
                let again = surroundings.now().addingTimeInterval(Self.rest)
                do { try await cancelWhenGracefulShutdown { try await surroundings.sleep(again) } } catch { return }
                ask()
            }
        }
    }

    func write() async throws {
        // The moment first: whoever is erased while it is written may not be in it.
        let now = surroundings.now()
        let (known, key) = (try await backups.erased(), try backups.erasureKey())
        try await Disk.run { [folder, list, place] in
            try place?.require()
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Self.tidy(beside: list)
            // A house that was put back without it may know less than it says. One that does not open says nothing.
            let before = (try? ErasureList.read(list, key: key))?.people ?? [:]
            try ErasureList(people: known.merging(before) { first, _ in first }, at: now.milliseconds).write(to: list, key: key)
            try Folder.flush(folder)
        }
        backups.tell(listedAt: now)
    }

    /// Takes away what a power cut left of one that was being written. Only this service writes it.
    private static func tidy(beside list: URL) throws {
        let (folder, beginning) = (list.deletingLastPathComponent(), list.lastPathComponent + ".")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix(beginning) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
