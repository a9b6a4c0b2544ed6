import Synchronization

/// Runs a task one piece at a time, by hand: between two pieces the test decides what happens elsewhere.
public final class SteppedExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// True if the task can continue.
    public var isReady: Bool { jobs.withLock { !$0.isEmpty } }

    /// Lets the task go on to where it waits next.
    public func step() {
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }
}
