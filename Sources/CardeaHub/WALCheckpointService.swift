import CardeaStore
import ServiceLifecycle

/// Keeps the store's write-ahead log short, in moments without writes: no door command waits for it.
struct WALCheckpointService: Service {
    let store: Store

    func run() async throws {
        await cancelWhenGracefulShutdown { await store.checkpointWhenIdle() }
    }
}
