import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Handles Ctrl-C while waiting for an approval. The first press is recorded, so that the request can be cancelled; the second ends the
/// program at once.
final class InterruptHandler: Sendable {
    private let listensToSignal: Bool
    private let wasInterrupted = Mutex(false)

    /// - Parameter heard: true to handle the signal. A test triggers the press itself.
    init(heard: Bool = true) {
        listensToSignal = heard
    }

    var isInterrupted: Bool { wasInterrupted.withLock { $0 } }

    /// Runs `work`; meanwhile the first press does not end the program.
    func handlingInterrupts<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        guard listensToSignal else { return try await work() }
        #if canImport(Darwin)
            // On macOS a source only observes, and the signal still acts. On Linux the source takes it over.
            signal(SIGINT, SIG_IGN)
            defer { signal(SIGINT, SIG_DFL) }
        #endif
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue.global())
        source.setEventHandler { self.interrupt() }
        source.resume()
        defer { source.cancel() }
        return try await work()
    }

    /// Waits for this duration, or until Ctrl-C is pressed; returns whether it was pressed.
    func waitForInterrupt(within timeout: Duration) async throws -> Bool {
        let end = ContinuousClock.now + timeout
        // Ten checks a second: the delay is not noticeable, and no wake-up is needed.
        while ContinuousClock.now < end {
            if isInterrupted { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return isInterrupted
    }

    func interrupt() {
        let isSecond = wasInterrupted.withLock { was in
            defer { was = true }
            return was
        }
        // The shell's status for a program ended by SIGINT.
        if isSecond { _exit(130) }
    }
}
