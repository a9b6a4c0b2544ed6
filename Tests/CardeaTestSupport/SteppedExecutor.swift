import Synchronization

/// Runs a task one piece at a time, by hand: between two pieces the test changes other things.
public final class SteppedExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// True if the task can continue.
    public var isReady: Bool { jobs.withLock { !$0.isEmpty } }

    /// Runs the task to its next suspension.
    public func step() {
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }
}
