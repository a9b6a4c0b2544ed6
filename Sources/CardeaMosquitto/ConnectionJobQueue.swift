import Glibc
import Synchronization

/// Passes work from the rest of the program to the one thread that touches the library, and wakes it if it sleeps.
///
/// Work that the thread passes to itself, such as each step of a task that runs on it, needs no system call: the queue is checked before
/// sleeping.
final class ConnectionJobQueue: Sendable {
    /// Something to do on the wire; `abandon` when the wire is gone.
    struct Job: Sendable {
        let run: @Sendable (MosquittoClient) -> Void
        let abandon: @Sendable (MQTTConnectionError) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var end: MQTTConnectionError?
        /// True while the thread will look again before it sleeps, so that no wake-up is needed.
        var isAwake = true
    }

    private let state = Mutex(State())
    /// The reading end, for `poll`.
    let wakeReadDescriptor: Int32
    private let wakeWriteDescriptor: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        wakeReadDescriptor = ends[0]
        wakeWriteDescriptor = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        Glibc.close(wakeReadDescriptor)
        Glibc.close(wakeWriteDescriptor)
    }

    func post(_ job: Job) {
        let (end, mustRing) = state.withLock { state -> (MQTTConnectionError?, Bool) in
            if let end = state.end { return (end, false) }
            state.jobs.append(job)
            defer { state.isAwake = true }
            return (nil, !state.isAwake)
        }
        if let end { return job.abandon(end) }
        guard mustRing else { return }
        var one: UInt8 = 1
        _ = write(wakeWriteDescriptor, &one, 1)
    }

    /// Returns true if no job waits, so that the thread may sleep; from then on a new job wakes it.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isAwake = !state.jobs.isEmpty
            return !state.isAwake
        }
    }

    /// The thread sleeps no longer.
    ///
    /// - Parameter isRung: whether `poll` found the bell rung.
    func didWake(isRung: Bool) {
        state.withLock { $0.isAwake = true }
        guard isRung else { return }
        // Woken once for each sleep. A leftover signal only causes one extra wake-up.
        var rung: UInt64 = 0
        _ = read(wakeReadDescriptor, &rung, MemoryLayout.size(ofValue: rung))
    }

    /// Removes and returns the waiting jobs; the thread is awake.
    func drain() -> [Job] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    /// Accepts no more jobs, and ends the waiting ones with the error.
    func close(_ end: MQTTConnectionError) {
        let jobs = state.withLock { state -> [Job] in
            state.end = state.end ?? end
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.abandon(end) }
    }
}
