import CardeaClient
import Foundation

extension Replica {
    /// Keeps the replica in sync while the sequence is read: at once, after every event of the house, when it can be reached again, and
    /// every half minute (Seed 004, item 35). It yields one report for each sync; a late reader gets only the latest.
    ///
    ///     for try await report in replica.continuousSync() {
    ///         show(try await replica.devices(), isLevel: report.stopped == nil)
    ///     }
    ///
    /// It ends with `ClientError.unauthorized` if the person must sign in again, with the house's `person_erased` if they were erased, and
    /// with an error if the stored data cannot be read or written.
    ///
    /// - Parameter pressure: memory warnings; on a warning, caches that only save time are released.
    public nonisolated func continuousSync(memoryPressure pressure: AsyncStream<MemoryPressure> = MemoryPressure.events())
        -> AsyncThrowingStream<
            SyncReport, any Error
        >
    {
        let (reports, report) = AsyncThrowingStream<SyncReport, any Error>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let staying = Task {
            do {
                try await runContinuousSync(pressure) { report.yield($0) }
                report.finish()
            } catch {
                report.finish(throwing: error is CancellationError ? nil : error)
            }
        }
        report.onTermination = { _ in staying.cancel() }
        return reports
    }

    /// The time between two syncs without an event from the house.
    static let pollInterval = Duration.seconds(30)

    private nonisolated func runContinuousSync(_ pressure: AsyncStream<MemoryPressure>, tell: @escaping @Sendable (SyncReport) -> Void)
        async throws
    {
        try await syncAndReport(tell)
        let (nudges, nudge) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let cursor = try await cursor()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [client] in
                // The stream also reports a lost connection: then the house is asked whether it is reachable.
                for await _ in client.eventStream.events(after: cursor) { nudge.yield() }
            }
            group.addTask { [environment] in
                while !Task.isCancelled {
                    try await environment.sleep(Self.pollInterval)
                    nudge.yield()
                }
            }
            group.addTask { [client] in
                var wasAway = false
                for await state in client.reachability.states() {
                    if wasAway, state == .reachable { nudge.yield() }
                    wasAway = state.isUnreachable
                }
            }
            group.addTask { for await notice in pressure { try await self.handleMemoryPressure(notice) } }
            group.addTask {
                for await _ in nudges { try await self.syncAndReport(tell) }
                try Task.checkCancellation()
            }
            // Only the last of them ends by itself, with its error; a reader that stops ends them all.
            do {
                while try await group.next() != nil {}
            } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    private func syncAndReport(_ tell: (SyncReport) -> Void) async throws {
        let report = try await sync()
        if let stopped = report.stopped, stopped == .unauthorized || stopped.isPersonErased { throw stopped }
        tell(report)
    }

    /// Frees memory that only speeds up reads. Data in the file is kept.
    public func handleMemoryPressure(_ pressure: MemoryPressure) async throws {
        switch pressure {
        case .warning: answers.clearMemory(below: .high)
        case .critical:
            answers.clearMemory()
            client.releaseMemory()
            try await store.releaseMemory()
        }
    }
}
