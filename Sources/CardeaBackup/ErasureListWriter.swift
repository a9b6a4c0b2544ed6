import CardeaHub
import CardeaModel
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// Keeps the list of who was erased beside the backups: it is written as the hub starts, after each erasure and with each backup.
public struct ErasureListWriter: Service {
    private let folder: URL
    /// nil for a house in memory.
    private let location: BackupLocation?
    private let backups: BackupRegistry
    private let environment: HubEnvironment
    private let logger: Logger
    /// The path of the list.
    public let listURL: URL
    private let writeRequests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Seconds after which it is tried again if it could not be written.
    static let retryInterval: TimeInterval = 60

    public init(in folder: URL, of store: Store, backups: BackupRegistry, environment: HubEnvironment, logger: Logger) throws {
        self.folder = folder
        location = store.folder.map { BackupLocation(folder, of: $0) }
        self.backups = backups
        self.environment = environment
        self.logger = logger
        listURL = folder.appending(path: ErasureList.name(by: try backups.erasureKey()))
        let news = writeRequests.continuation
        store.onCommit { rows in
            if rows.contains(where: { $0.kind == .personErased }) { news.yield() }
        }
    }

    /// Requests that it is written again.
    func requestWrite() { writeRequests.continuation.yield() }

    public func run() async throws {
        requestWrite()
        for await _ in writeRequests.stream.cancelOnGracefulShutdown() {
            do { try await write() } catch is CancellationError { return } catch {
                logger.warning("erasure list could not be written", metadata: ["error": "\(type(of: error))"])
                let again = environment.now().addingTimeInterval(Self.retryInterval)
                do { try await cancelWhenGracefulShutdown { try await environment.sleep(again) } } catch { return }
                requestWrite()
            }
        }
    }

    func write() async throws {
        // The time first: a person who is erased while it is written may not be in it.
        let now = environment.now()
        let (known, key) = (try await backups.erased(), try backups.erasureKey())
        try await BlockingIO.run { [folder, listURL, location] in
            try location?.require()
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Self.removeLeftovers(beside: listURL)
            // A house that was restored without the list may know less than it. A list that does not open is ignored.
            let before = (try? ErasureList.read(listURL, key: key))?.people ?? [:]
            try ErasureList(people: known.merging(before) { first, _ in first }, at: now.milliseconds).write(to: listURL, key: key)
            try FolderSync.flush(folder)
        }
        backups.update(listedAt: now)
    }

    /// Deletes the remains of a list whose writing a power failure interrupted. Only this service writes it.
    private static func removeLeftovers(beside list: URL) throws {
        let (folder, beginning) = (list.deletingLastPathComponent(), list.lastPathComponent + ".")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix(beginning) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
