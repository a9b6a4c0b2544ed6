import CardeaStore
import ServiceLifecycle

/// Keeps the store's write-ahead log short, in moments in which nobody writes: no door waits for it.
struct WALCheckpointService: Service {
    let store: Store

    func run() async throws {
        await cancelWhenGracefulShutdown { await store.checkpointWhenIdle() }
    }
}
