import CardeaStore
import Dispatch
import Synchronization

extension TestHouse {
    /// Keeps the store's writer busy while `body` runs: its writes run afterwards. A task stepped by hand has then come to rest before its
    /// commit can resume it.
    public func withBlockedWriter(_ body: () async throws -> Void) async throws {
        let (held, gate) = (Flag(), DispatchSemaphore(value: 0))
        let writer = Task {
            try await store.write { _ in
                held.raise()
                gate.wait()
            }
        }
        try await waitUntil { held.isRaised }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        gate.signal()
        try await writer.value
        try outcome.get()
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }
}
