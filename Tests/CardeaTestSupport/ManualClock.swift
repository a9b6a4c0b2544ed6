import CardeaHub
import CardeaSecurity
import Foundation
import Synchronization

/// A clock moved by hand. Sleeping tasks wake when it has been moved far enough.
public final class ManualClock: Sendable {
    private struct State {
        var now: Date
        var sleepers: [Int: (until: Date, wake: CheckedContinuation<Void, any Error>)] = [:]
        var next = 0
    }

    private let state: Mutex<State>

    /// Starts on Saturday, 21 November 2026, 14:00 UTC.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_795_269_600)) {
        state = Mutex(State(now: start))
    }

    public var now: Date { state.withLock { $0.now } }

    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.wake)
        }
        for wake in due { wake.resume() }
    }

    /// Sets the clock, forwards or back, without waking tasks.
    public func jump(to date: Date) {
        state.withLock { $0.now = date }
    }

    /// Sets the clock back once every sleeping task has slept long enough: they wake, and it is earlier than they expected.
    public func setBack(by seconds: TimeInterval) {
        let sleepers = state.withLock { state in
            state.now -= seconds
            defer { state.sleepers = [:] }
            return state.sleepers.values.map(\.wake)
        }
        for wake in sleepers { wake.resume() }
    }

    /// Returns whether a task sleeps until exactly this date.
    public func isAwaited(_ date: Date) -> Bool {
        state.withLock { $0.sleepers.values.contains { $0.until == date } }
    }

    public func sleep(until: Date) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.now < until, !Task.isCancelled else { return false }
                    state.sleepers[id] = (until, continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume(throwing: CancellationError())
        }
    }

    /// As low as possible: few tests are about passwords.
    public static let passwordCost = PasswordHash.Cost(memory: 64, passes: 1, lanes: 1)

    /// The environment with this clock.
    public var environment: CardeaHub.HubEnvironment {
        CardeaHub.HubEnvironment(
            now: { self.now }, sleep: { try await self.sleep(until: $0) },
            newID: { UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased() },
            passwordCost: Self.passwordCost, diskSpace: { _ in nil })
    }
}
