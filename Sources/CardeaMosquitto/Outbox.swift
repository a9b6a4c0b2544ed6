import Glibc
import Synchronization

/// How the rest of the house hands work to the one thread that touches the library, and wakes it.
final class Outbox: Sendable {
    /// Something to do on the wire; `abandon` when the wire is gone.
    struct Job: Sendable {
        let run: @Sendable (Wire) -> Void
        let abandon: @Sendable (ConnectionFailure) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var end: ConnectionFailure?
    }

    private let state = Mutex(State())
    /// The reading end, for `poll`.
    let bell: Int32
    private let button: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        bell = ends[0]
        button = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        Glibc.close(bell)
        Glibc.close(button)
    }

    func post(_ job: Job) {
        let end = state.withLock { state -> ConnectionFailure? in
            if state.end == nil { state.jobs.append(job) }
            return state.end
        }
        if let end { return job.abandon(end) }
        // A full pipe has rung already.
        var one: UInt8 = 1
        _ = write(button, &one, 1)
    }

    func take() -> [Job] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(bell, &bytes, bytes.count) > 0 {}
        return state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    /// No more work is taken, and what waits is told why.
    func close(_ end: ConnectionFailure) {
        let jobs = state.withLock { state -> [Job] in
            state.end = state.end ?? end
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.abandon(end) }
    }
}
