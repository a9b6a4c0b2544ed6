import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// A look at something of the house: at once what is kept of it, then what the house says.
@MainActor @Observable
final class HouseLook<Content: Sendable> {
    private(set) var shown: Shown<Content> = .loading
    /// What the last look did for what had waited.
    private(set) var report: SyncReport?
    /// What is wrong with the house's record as it was seen from here; nil where nothing is, and where nobody asked to be told.
    private(set) var recordAlarm: Problem?

    private let replica: Replica
    private let now: @Sendable () -> Date
    private let tellsOfRecord: Bool
    private let isEmpty: @Sendable (Content) -> Bool
    private let read: @Sendable (Replica) async throws -> Aged<Content>
    private var turns = Turns()
    private var underWay = 0

    /// - Parameter tellsOfRecord: whether `recordAlarm` is read, too.
    init(
        _ replica: Replica, now: @escaping @Sendable () -> Date, tellsOfRecord: Bool = false,
        isEmpty: @escaping @Sendable (Content) -> Bool, read: @escaping @Sendable (Replica) async throws -> Aged<Content>
    ) {
        self.replica = replica
        self.now = now
        self.tellsOfRecord = tellsOfRecord
        self.isEmpty = isEmpty
        self.read = read
    }

    var isRefreshing: Bool { underWay > 0 }

    /// Looks anew. Cancelled, it leaves what was shown; overtaken by a later look, it brings nothing.
    func refresh() async {
        let turn = turns.begin()
        underWay += 1
        defer { underWay -= 1 }
        do {
            try await show(nil, turn)
            let report = try await replica.sync()
            try await show(report.stopped.flatMap { Problem($0) }, turn)
            guard turns.isOpen(turn), !Task.isCancelled else { return }
            turns.bring(turn)
            self.report = report
        } catch {
            guard turns.isOpen(turn), let problem = Problem(error) else { return }
            turns.bring(turn)
            shown = .failed(problem)
        }
    }

    private func show(_ problem: Problem?, _ turn: Int) async throws {
        let kept = try await read(replica)
        let alarm = try await tellsOfRecord ? replica.recordAlarm(at: now()) : nil
        guard turns.isOpen(turn), !Task.isCancelled else { return }
        shown = Shown(kept, problem, at: now(), isEmpty: isEmpty)
        recordAlarm = alarm
    }
}

extension Replica {
    /// The house's clock as far as it is known here, else this machine's.
    func clock(at now: Date) async -> HouseClock {
        let zone = (try? await house().value?.timeZone).flatMap { TimeZone(identifier: $0) }
        return HouseClock(zone: zone ?? .current, now: now)
    }
}
