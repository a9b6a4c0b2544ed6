import Foundation
import Synchronization

/// Answers that came with a tag: asked for again, the hub says only whether it is another now (RFC 9110, section 13.1.2).
///
/// Each is kept for who asked, so that nobody is shown what another may see.
final class KeptAnswers: Sendable {
    /// Bytes that are kept in all; what was kept first goes first.
    static let most = 4 << 20
    /// Answers larger than this are not kept.
    static let largest = 1 << 20

    private struct State {
        var answers: [SharedReads.Question: TransportResponse] = [:]
        var order: [SharedReads.Question] = []
        var bytes = 0

        mutating func keep(_ answer: TransportResponse, to question: SharedReads.Question) {
            bytes += answer.body.count
            if let before = answers.updateValue(answer, forKey: question) { bytes -= before.body.count } else { order.append(question) }
            while bytes > KeptAnswers.most, let first = order.first {
                order.removeFirst()
                bytes -= answers.removeValue(forKey: first)?.body.count ?? 0
            }
        }
    }

    private let state = Mutex(State())

    func answer(to question: SharedReads.Question) -> TransportResponse? {
        state.withLock { $0.answers[question] }
    }

    func keep(_ answer: TransportResponse, to question: SharedReads.Question) {
        guard answer.status == 200, answer[header: "etag"] != nil, answer.body.count <= Self.largest else { return }
        state.withLock { $0.keep(answer, to: question) }
    }

    func removeAll() { state.withLock { $0 = State() } }
}
