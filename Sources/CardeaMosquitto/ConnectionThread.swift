import Dispatch
import Glibc
import Synchronization

/// Runs tasks on the thread that reads and writes a connection, so that handling a message changes no threads: waking a sleeping one takes
/// as long as all the handling.
///
/// After the connection has ended, remaining tasks run on any thread.
final class ConnectionThread: TaskExecutor {
    private let jobQueue: ConnectionJobQueue
    private let thread = Atomic<pthread_t>(0)

    init(outbox: ConnectionJobQueue) {
        self.jobQueue = outbox
    }

    /// The thread that calls is the connection's from now on.
    func begin() { thread.store(pthread_self(), ordering: .relaxed) }

    /// True if the caller runs on this thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobQueue.post(
            ConnectionJobQueue.Job(
                run: { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) },
                abandon: { _ in
                    // Not synchronously: the caller may hold a lock that the job needs.
                    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
                }))
    }
}
