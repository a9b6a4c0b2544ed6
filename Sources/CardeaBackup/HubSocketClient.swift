import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The client side of the socket of the hub that serves the house.
public struct HubSocketClient: Sendable {
    private let connection: LocalSocket.Connection

    /// nil if no hub serves the house.
    public init?(in folder: URL) throws {
        guard let connection = try LocalSocket.connect(in: folder) else { return nil }
        self.connection = connection
    }

    public func state() async throws -> HubSocketStatus { try JSONDecoder().decode(HubSocketStatus.self, from: try await send(.state)) }

    /// The same with a time limit.
    public func state(within seconds: Int) async throws -> HubSocketStatus {
        connection.wait(seconds: seconds)
        return try await state()
    }

    public func storeRecoveryKey(_ key: RecoveryKey, replacing: Bool) async throws {
        _ = try await send(.keepKey(key.publicKey, authentication: key.backupAuthentication, replacing: replacing))
    }

    public func trustClock() async throws { _ = try await send(.trustClock) }

    /// Has the hub make a backup, and writes it down as it comes.
    ///
    /// - Parameter key: what opens it, if that is at hand: then it is opened to see whether it is whole.
    public func backup(
        for lock: BackupRecipient?, to file: BackupFile, key: BackupKey?, progress: @escaping @Sendable (BackupRunner.Progress) -> Void
    ) async throws -> BackupRunner.Receipt {
        let connection = connection
        let receipt = try await BlockingIO.run {
            try connection.send(FrameKind.request, JSONEncoder().encode(HubSocketRequest.backup(lock)))
            while let (kind, data) = try connection.receive() {
                switch kind {
                case FrameKind.progress: progress(try JSONDecoder().decode(BackupRunner.Progress.self, from: data))
                case FrameKind.bytes: try file.append(data)
                case FrameKind.done: return try JSONDecoder().decode(BackupRunner.Receipt.self, from: data)
                default: throw LocalSocket.SocketError(String(decoding: data, as: UTF8.self))
                }
            }
            throw LocalSocket.SocketError("The hub stopped before the backup was complete. Try again.")
        }
        try await file.commit(receipt, key: key)
        // The hub records it. The backup is good either way, also if the hub has stopped meanwhile.
        _ = try? await BlockingIO.run {
            try connection.send(FrameKind.stored, Data())
            _ = try connection.receive()
        }
        return receipt
    }

    private func send(_ ask: HubSocketRequest) async throws -> Data {
        let connection = connection
        return try await BlockingIO.run {
            try connection.send(FrameKind.request, JSONEncoder().encode(ask))
            guard let (kind, data) = try connection.receive() else {
                throw LocalSocket.SocketError("The hub stopped before it answered. Try again.")
            }
            guard kind == FrameKind.response else { throw LocalSocket.SocketError(String(decoding: data, as: UTF8.self)) }
            return data
        }
    }
}
