import Foundation
import Synchronization

/// Answers that came with a tag: asked for again, the hub says only whether it is another now (RFC 9110, section 13.1.2).
///
/// Each is kept for who asked, so that nobody is shown what another may see.
final class ETagCache: Sendable {
    /// Bytes that are kept in all; what was kept first goes first.
    static let capacity = 4 << 20
    /// Answers larger than this are not kept.
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
