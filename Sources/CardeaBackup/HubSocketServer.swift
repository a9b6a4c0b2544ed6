import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The requests over the socket in the house's folder. A process that can connect could read the folder's files as well.
public enum HubSocketRequest: Codable, Sendable {
    case state
    /// From now on backups are sealed to this key, and authenticated by the other one.
    case keepKey(Data, authentication: BackupAuthenticationKey?, replacing: Bool)
    /// A backup, sealed to the recovery key if no lock is named.
    case backup(BackupRecipient?)
    /// Trusts the machine's clock as it is.
    case trustClock
}

/// The frames' letters.
enum FrameKind {
    static let request: Character = "a"
    static let response: Character = "s"
    static let progress: Character = "p"
    static let bytes: Character = "b"
    static let done: Character = "d"
    /// The one who asked has it on their disk.
    static let stored: Character = "k"
    static let error: Character = "e"
}

/// Answers requests over the socket, one after the other.
public struct HubSocketServer: Service {
    private let folder: URL
    private let backup: BackupRunner
    private let backups: BackupRegistry
    private let clock: ClockMonitor
    private let erasures: URL?
    private let now: @Sendable () -> Date
    private let logger: Logger

    /// - Parameter erasures: the location of the list of erasures, if one is kept.
    public init(
        folder: URL, backup: BackupRunner, backups: BackupRegistry, clock: ClockMonitor, erasures: URL? = nil,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.folder = folder
        self.backup = backup
        self.backups = backups
        self.clock = clock
        self.erasures = erasures
        self.now = now
        self.logger = logger
    }

    public func run() async throws {
        let listener: LocalSocket.Listener
        do { listener = try LocalSocket.Listener(in: folder) } catch {
            // The house runs without it; only the backup of a running house is missing then.
            logger.warning("hub socket could not be opened", metadata: ["error": "\(error)"])
            try await gracefulShutdown()
            return
        }
        let (connections, coming) = AsyncStream.makeStream(of: LocalSocket.Connection.self, bufferingPolicy: .bufferingOldest(4))
        // It ends with the listener, which is stopped below.
        let thread = Thread {
            while let connection = listener.accept() { coming.yield(connection) }
            coming.finish()
        }
        thread.name = "hub socket"
        thread.start()
        let current = Mutex<LocalSocket.Connection?>(nil)
        await withTaskCancellationOrGracefulShutdownHandler {
            for await connection in connections {
                current.withLock { $0 = connection }
                await serve(connection)
                current.withLock { $0 = nil }
            }
            // If the system accepts no more connections, the house loses only this socket.
            if !Task.isShuttingDownGracefully {
                logger.warning("hub socket closed")
                try? await gracefulShutdown()
            }
        } onCancelOrGracefulShutdown: {
            listener.stop()
            // A backup that is being made is cancelled, and its client gets an error.
            current.withLock { $0?.end() }
        }
    }

    private func serve(_ connection: LocalSocket.Connection) async {
        do {
            // A client must send its request in time.
            connection.wait(seconds: 10)
            let frame = try await BlockingIO.run { try connection.receive() }
            guard let frame, frame.kind == FrameKind.request else { return }
            try await handle(try JSONDecoder().decode(HubSocketRequest.self, from: frame.data), on: connection)
        } catch {
            logger.info("hub socket request failed", metadata: ["error": "\(type(of: error))"])
            // A client that is gone gets no error.
            try? connection.send(FrameKind.error, Data(Store.message(for: error).utf8))
        }
    }

    private func handle(_ ask: HubSocketRequest, on connection: LocalSocket.Connection) async throws {
        switch ask {
        case .state:
            let state = HubSocketStatus(
                try await backups.state(), clock: clock.status(), house: try await backups.houseID(),
                authenticatesBackups: try await backups.isAuthenticating(), erasures: erasures?.path)
            try connection.send(FrameKind.response, JSONEncoder().encode(state))
        case .keepKey(let key, let authentication, let replacing):
            do {
                try await backups.save(recoveryKey: key, authentication: authentication, replacing: replacing)
            } catch BackupRegistry.BackupError.keyExists {
                return try connection.send(FrameKind.error, Data(RecoveryKeyExistsError().description.utf8))
            }
            try connection.send(FrameKind.response, Data())
        case .backup(let lock):
            try await sendBackup(lock, on: connection)
        case .trustClock:
            try await clock.trust(at: now())
            try connection.send(FrameKind.response, Data())
        }
    }

    private func sendBackup(_ lock: BackupRecipient?, on connection: LocalSocket.Connection) async throws {
        let lock = if let lock { lock } else { try await backups.defaultRecipient() }
        let receipt = try await backup.run(for: lock, at: now()) { progress in
            // Progress does not matter to a client that is gone.
            if let text = try? JSONEncoder().encode(progress) { try? connection.send(FrameKind.progress, text) }
        } to: { data in
            try connection.send(FrameKind.bytes, data)
        }
        try connection.send(FrameKind.done, JSONEncoder().encode(receipt))
        // Only the client knows that the backup is good on its disk, and it may take a while to read it back.
        connection.wait(seconds: 3600)
        if try await BlockingIO.run({ try connection.receive()?.kind }) == FrameKind.stored {
            try await backups.record(good: receipt.madeAt, bytes: receipt.bytes, damage: receipt.damage)
            try connection.send(FrameKind.response, Data())
        }
    }
}

extension BackupRegistry {
    /// Returns the recipient of backups if no other is given.
    ///
    /// - Throws: `MissingRecoveryKeyError`
    public func defaultRecipient() async throws -> BackupRecipient {
        guard let key = try await state().recoveryKey else { throw MissingRecoveryKeyError() }
        return BackupRecipient(recovery: key, authentication: try await authentication(for: key))
    }
}

public struct MissingRecoveryKeyError: Error, CustomStringConvertible {
    public init() {}
    public var description: String { "The house has no recovery key yet. Make one: cardea-hub recovery-key --data FOLDER" }
}
