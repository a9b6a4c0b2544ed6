import Foundation
import Synchronization

/// Caches answers that came with an entity tag: for these the hub is only asked for changes (RFC 9110, section 13.1.2).
///
/// Each is stored with the caller's identity, so that no caller gets another's answer.
final class ETagCache: Sendable {
    /// The maximum size of all entries in bytes; the oldest is removed first.
    static let capacity = 4 << 20
    /// The maximum size in bytes of a cached answer.
    static let entryLimit = 1 << 20

    private struct State {
        var answers: [RequestCoalescer.Key: TransportResponse] = [:]
        var order: [RequestCoalescer.Key] = []
        var bytes = 0

        mutating func store(_ answer: TransportResponse, to question: RequestCoalescer.Key) {
            bytes += answer.body.count
            if let before = answers.updateValue(answer, forKey: question) { bytes -= before.body.count } else { order.append(question) }
            while bytes > ETagCache.capacity, let first = order.first {
                order.removeFirst()
                bytes -= answers.removeValue(forKey: first)?.body.count ?? 0
            }
        }
    }

    private let state = Mutex(State())

    func response(to question: RequestCoalescer.Key) -> TransportResponse? {
        state.withLock { $0.answers[question] }
    }

    func store(_ answer: TransportResponse, to question: RequestCoalescer.Key) {
        guard answer.status == 200, answer[header: "etag"] != nil, answer.body.count <= Self.entryLimit else { return }
        state.withLock { $0.store(answer, to: question) }
    }

    func removeAll() { state.withLock { $0 = State() } }
}
