import Foundation
import Synchronization

/// Wakes the tasks that wait for a change. It does not say which: there are few of them, so all of them check again.
final class ChangeSignal: Sendable {
    private struct State {
        var changes = 0
        var next = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// The number of changes so far.
    var changeCount: Int { state.withLock { $0.changes } }

    func signal() {
        let waiters = state.withLock { state in
            state.changes += 1
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for a change after `seen`, or until the given time.
    func wait(after seen: Int, until: Date, _ environment: HubEnvironment) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(after: seen) }
            group.addTask { try await environment.sleep(until) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func wait(after seen: Int) async {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.changes == seen, !Task.isCancelled else { return false }
                    state.waiters[id] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
