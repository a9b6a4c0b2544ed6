import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// Loads content of the house: the stored version at once, then the hub's present one.
@MainActor @Observable
final class ContentLoader<Content: Sendable> {
    private(set) var state: LoadState<Content> = .loading
    /// The result of the last sync for queued operations.
    private(set) var report: SyncReport?
    /// The alarm for the house's audit log as checked from this device; nil if nothing is wrong, and if the check was not requested.
    private(set) var auditAlarm: UserFacingError?

    private let replica: Replica
    private let now: @Sendable () -> Date
    private let includesAuditAlarm: Bool
    private let isEmpty: @Sendable (Content) -> Bool
    private let read: @Sendable (Replica) async throws -> Dated<Content>
    private var loads = LatestOnly()
    private var activeLoads = 0

    /// - Parameter tellsOfRecord: true to also read `auditAlarm`.
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

    /// Loads again. A cancelled load leaves the content as it was; so does one that a later load has overtaken.
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
        let stored = try await read(replica)
        let alarm = try await includesAuditAlarm ? replica.auditAlarm(at: now()) : nil
        guard loads.isCurrent(turn), !Task.isCancelled else { return }
        state = LoadState(stored, problem, at: now(), isEmpty: isEmpty)
        auditAlarm = alarm
    }
}

extension Replica {
    /// The house's clock by its last known time zone, else this machine's.
    func houseClock(at now: Date) async -> HouseClock {
        let zone = (try? await house().value?.timeZone).flatMap { TimeZone(identifier: $0) }
        return HouseClock(zone: zone ?? .current, now: now)
    }
}
