import Foundation
import Synchronization

/// Coalesces reads: an equal read that starts while one is under way gets the same answer.
///
/// A read that began before a write has ended is not shared with later callers: they must see the result of the write.
final class RequestCoalescer: Sendable {
    typealias Outcome = Result<TransportResponse, ClientError>

    struct Key: Hashable, Sendable {
        let url: URL
        /// The caller's identity, so that no answer is shared between callers with different rights.
        let identity: Data?
        /// The entity tag that the caller already has. A caller without one cannot use the answer "not modified".
        let entityTag: String?
        fileprivate var writes = 0

        init(url: URL, caller: Data?, known: String? = nil) {
            self.url = url
            self.identity = caller
            self.entityTag = known
        }
    }

    private struct InFlight {
        let task: Task<Void, Never>
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private struct State {
        var inFlight: [Key: InFlight] = [:]
        /// The number of completed writes.
        var writes = 0
        var next = 0
    }

    private let state = Mutex(State())

    /// The number of callers that wait for an answer.
    var waiting: Int { state.withLock { $0.inFlight.values.reduce(0) { $0 + $1.waiting.count } } }

    /// Records that a write has ended, with or without success.
    func writeFinished() {
        state.withLock { $0.writes += 1 }
    }

    /// The answer to `question`, by a read that is under way or by `read`. The read is cancelled when its last caller is.
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
                        // It belongs to all callers that wait for it, and to none of them alone.
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
        // After a cancellation, another read with its own waiters may have taken this place.
        guard !Task.isCancelled else { return }
        let waiting = state.withLock { $0.inFlight.removeValue(forKey: question)?.waiting ?? [:] }
        for waiter in waiting.values { waiter.resume(returning: outcome) }
    }
}
