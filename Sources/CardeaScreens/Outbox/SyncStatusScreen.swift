import CardeaClient
import CardeaSync
import Foundation
import Observation

/// How level this phone is with the house: what the house is still to hear, what never will be done, and what somebody must decide.
@MainActor @Observable
public final class SyncStatusScreen {
    /// Why the last thing that was asked for here came to nothing.
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

    /// `empty` where nothing waits for anything.
    public var state: LoadState<SyncStatus> { loader.state }
    public var isSyncing: Bool { loader.isRefreshing }
    /// What the last look did for what had waited; nil before the first.
    public var lastReport: SyncReport? { loader.report }
    /// What is wrong with the house's record as it was seen from here; nil where nothing is. As `SettingsScreen.recordAlarm`.
    public var auditAlarm: UserFacingError? { loader.auditAlarm }

    /// Says what is to be said, and hears what changed.
    public func sync() async {
        await loader.refresh()
    }

    /// Decides a conflict, and tells the house.
    public func resolve(_ conflictID: String, by resolution: ConflictResolution) async {
        await perform("This was decided already.") { try await $0.resolve(conflictID, by: resolution) }
    }

    /// Takes back what was not sent yet, or strikes what ended.
    public func discard(_ entryID: String) async {
        await perform("The house may have heard of it already. It cannot be taken back.") { try await $0.discard(entryID) }
    }

    /// - Parameter tooLate: what is said where there is nothing left to act on.
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

/// What stands between this phone and the house.
public struct SyncStatus: Sendable {
    /// What the house is still to hear, in the order in which it was wished.
    public let waiting: [OutboxEntry]
    /// What never will be done, or may have been, with the reason.
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
