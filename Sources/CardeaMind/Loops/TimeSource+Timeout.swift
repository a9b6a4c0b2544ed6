import Foundation

extension Mind.TimeSource {
    /// What `work` comes to; nil where it has given no answer after so many seconds. Then it is told to stop and waited for no longer, and
    /// what it says after that is heard by nobody.
    func result<Value: Sendable>(
        within seconds: TimeInterval, of work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let end = now().addingTimeInterval(seconds)
        let (ends, hasEnded) = AsyncStream<Void>.makeStream()
        // Ended by its own end. A child could not be left behind, and one that does not listen would hold whoever waits for it.
        let task = Task {
            defer { hasEnded.finish() }
            return try await work()
        }
        let isAnswered = await withTaskGroup { group in
            group.addTask {
                for await _ in ends {}
                return !Task.isCancelled
            }
            group.addTask {
                // It wakes early where somebody else has the answer.
                do { try await sleep(end) } catch { return false }
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        // Whoever is told to stop waits for what it began.
        guard !isAnswered, !Task.isCancelled else {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
        task.cancel()
        return nil
    }
}
