import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// A look at something of the house: at once what is kept of it, then what the house says.
@MainActor @Observable
final class ContentLoader<Content: Sendable> {
    private(set) var state: LoadState<Content> = .loading
    /// What the last look did for what had waited.
    private(set) var report: SyncReport?
    /// What is wrong with the house's record as it was seen from here; nil where nothing is, and where nobody asked to be told.
    private(set) var auditAlarm: UserFacingError?

    private let replica: Replica
    private let now: @Sendable () -> Date
    private let includesAuditAlarm: Bool
    private let isEmpty: @Sendable (Content) -> Bool
    private let read: @Sendable (Replica) async throws -> Dated<Content>
    private var loads = LatestOnly()
    private var activeLoads = 0

    /// - Parameter tellsOfRecord: whether `recordAlarm` is read, too.
    init(
        _ replica: Replica, now: @escaping @Sendable () -> Date, tellsOfRecord: Bool = false,
        isEmpty: @escaping @Sendable (Content) -> Bool, read: @escaping @Sendable (Replica) async throws -> Dated<Content>
    ) {
        self.replica = replica
        self.now = now
        self.includesAuditAlarm = tellsOfRecord
        self.isEmpty = isEmpty
        self.read = read
    }

    var isRefreshing: Bool { activeLoads > 0 }

    /// Looks anew. Cancelled, it leaves what was shown; overtaken by a later look, it brings nothing.
    func refresh() async {
        let turn = loads.begin()
        activeLoads += 1
        defer { activeLoads -= 1 }
        do {
            try await publish(nil, turn)
            let report = try await replica.sync()
            try await publish(report.stopped.flatMap { UserFacingError($0) }, turn)
            guard loads.isCurrent(turn), !Task.isCancelled else { return }
            loads.complete(turn)
            self.report = report
        } catch {
            guard loads.isCurrent(turn), let problem = UserFacingError(error) else { return }
            loads.complete(turn)
            state = .failed(problem)
        }
    }

    private func publish(_ problem: UserFacingError?, _ turn: Int) async throws {
        let kept = try await read(replica)
        let alarm = try await includesAuditAlarm ? replica.auditAlarm(at: now()) : nil
        guard loads.isCurrent(turn), !Task.isCancelled else { return }
        state = LoadState(kept, problem, at: now(), isEmpty: isEmpty)
        auditAlarm = alarm
    }
}

extension Replica {
    /// The house's clock as far as it is known here, else this machine's.
    func houseClock(at now: Date) async -> HouseClock {
        let zone = (try? await house().value?.timeZone).flatMap { TimeZone(identifier: $0) }
        return HouseClock(zone: zone ?? .current, now: now)
    }
}
