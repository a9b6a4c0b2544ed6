import CardeaClient
import CardeaSync
import Foundation
import Observation

/// The state of the sync: pending operations, operations that will never be done, and conflicts to decide.
@MainActor @Observable
public final class SyncStatusScreen {
    /// The reason why the last action on this screen failed.
    public private(set) var problem: UserFacingError?

    private let replica: Replica
    private let loader: ContentLoader<SyncStatus>

    public init(replica: Replica, environment: ClientEnvironment = .live) {
        self.replica = replica
        loader = ContentLoader(replica, now: environment.now, tellsOfRecord: true, isEmpty: \.isEmpty) { replica in
            let (queue, conflicts, levelAt) = try await (replica.outboxEntries(), replica.conflicts(), replica.lastSyncedAt())
            return Dated(SyncStatus(queue, conflicts), asOf: levelAt)
        }
    }

    /// `empty` if there are no pending operations and no conflicts.
    public var state: LoadState<SyncStatus> { loader.state }
    public var isSyncing: Bool { loader.isRefreshing }
    /// The result of the last sync for queued operations; nil before the first.
    public var lastReport: SyncReport? { loader.report }
    /// The alarm for the house's audit log as checked from this device; nil if nothing is wrong. As `SettingsScreen.auditAlarm`.
    public var auditAlarm: UserFacingError? { loader.auditAlarm }

    /// Sends pending operations and reads changes.
    public func sync() async {
        await loader.refresh()
    }

    /// Resolves a conflict, and sends the result to the house.
    public func resolve(_ conflictID: String, by resolution: ConflictResolution) async {
        await perform("This was decided already.") { try await $0.resolve(conflictID, by: resolution) }
    }

    /// Cancels an entry that was not sent yet, or removes an ended one.
    public func discard(_ entryID: String) async {
        await perform("The house may have heard of it already. It cannot be taken back.") { try await $0.discard(entryID) }
    }

    /// - Parameter tooLate: the message if there is nothing left to act on.
    private func perform(_ tooLate: String, _ body: (Replica) async throws -> Bool) async {
        problem = nil
        do {
            if try await !body(replica) { problem = UserFacingError(title: "Too late", text: tooLate) }
        } catch {
            problem = UserFacingError(error)
        }
        await loader.refresh()
    }
}

/// The operations and conflicts that are not yet settled between this phone and the house.
public struct SyncStatus: Sendable {
    /// The operations still to be sent, in the order in which they were made.
    public let waiting: [OutboxEntry]
    /// The operations that will never be done, or may have been done, with the reason.
    public let ended: [OutboxEntry]
    /// Late answers to questions that waited.
    public let answers: [LateAnswer]
    public let conflicts: [Conflict]

    init(_ queue: [OutboxEntry], _ conflicts: [Conflict]) {
        func isOver(_ entry: OutboxEntry) -> Bool {
            if case .ended = entry.status { true } else { false }
        }
        waiting = queue.filter { !isOver($0) }
        ended = queue.filter { isOver($0) && $0.lateAnswer == nil }
        answers = queue.compactMap(\.lateAnswer)
        self.conflicts = conflicts
    }

    public var isEmpty: Bool { waiting.isEmpty && ended.isEmpty && answers.isEmpty && conflicts.isEmpty }
}
