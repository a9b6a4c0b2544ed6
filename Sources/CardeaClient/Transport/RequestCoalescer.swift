import Foundation
import Synchronization

/// Readings that are under way: whoever asks for the same meanwhile waits for the same answer.
///
/// A reading that began before a write has ended is shared with nobody who asks after it: they are to see what they wrote.
final class RequestCoalescer: Sendable {
    typealias Outcome = Result<TransportResponse, ClientError>

    struct Key: Hashable, Sendable {
        let url: URL
        /// Who asks: nobody is given what another may see.
        let identity: Data?
        /// What the caller has already: to whoever has nothing, "still the same" is no answer.
        let entityTag: String?
        fileprivate var writes = 0

        init(url: URL, asker: Data?, known: String? = nil) {
            self.url = url
            self.identity = asker
            self.entityTag = known
        }
    }

    private struct InFlight {
        let task: Task<Void, Never>
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private struct State {
        var inFlight: [Key: InFlight] = [:]
        /// Writes that have ended.
        var writes = 0
        var next = 0
    }

    private let state = Mutex(State())

    /// How many wait for an answer.
    var waiting: Int { state.withLock { $0.inFlight.values.reduce(0) { $0 + $1.waiting.count } } }

    /// A write has ended, however it ended.
    func writeFinished() {
        state.withLock { $0.writes += 1 }
    }

    /// The answer to `question`, by a reading that is under way or by `read`. Who is cancelled goes; the last to go ends the reading.
    func response(_ question: Key, _ read: @escaping @Sendable () async -> Outcome) async -> Outcome {
        let (number, question) = state.withLock { state in
            state.next += 1
            var question = question
            question.writes = state.writes
            return (state.next, question)
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = Task.isCancelled
                let mustRefuse = state.withLock { state in
                    guard !isCancelled else { return true }
                    if state.inFlight[question] == nil {
                        // It belongs to all who wait for it, and to none of them.
                        state.inFlight[question] = InFlight(task: Task { self.finish(question, await read()) })
                    }
                    state.inFlight[question]?.waiting[number] = continuation
                    return false
                }
                if mustRefuse { continuation.resume(returning: .failure(.cancelled)) }
            }
        } onCancel: {
            let (waiter, orphan) = state.withLock { state in
                let waiter = state.inFlight[question]?.waiting.removeValue(forKey: number)
                guard waiter != nil, state.inFlight[question]?.waiting.isEmpty == true else { return (waiter, Task<Void, Never>?.none) }
                return (waiter, state.inFlight.removeValue(forKey: question)?.task)
            }
            orphan?.cancel()
            waiter?.resume(returning: .failure(.cancelled))
        }
    }

    private func finish(_ question: Key, _ outcome: Outcome) {
        // An orphan's place may have been taken by another reading, which has waiters of its own and an answer to come.
        guard !Task.isCancelled else { return }
        let waiting = state.withLock { $0.inFlight.removeValue(forKey: question)?.waiting ?? [:] }
        for waiter in waiting.values { waiter.resume(returning: outcome) }
    }
}
