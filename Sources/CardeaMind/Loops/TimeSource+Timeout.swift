import Foundation

extension Mind.TimeSource {
    /// Returns the result of `work`, or nil if it takes longer than `seconds`. It is then cancelled and no longer waited for; a later
    /// result is discarded.
    func result<Value: Sendable>(
        within seconds: TimeInterval, of work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let end = now().addingTimeInterval(seconds)
        let (ends, hasEnded) = AsyncStream<Void>.makeStream()
        // An unstructured task: a child task could not be left behind, and one that ignores cancellation would block its caller.
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
                // Cancelled early if the other task has the result.
                do { try await sleep(end) } catch { return false }
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        // A cancelled caller waits for the work it began.
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
