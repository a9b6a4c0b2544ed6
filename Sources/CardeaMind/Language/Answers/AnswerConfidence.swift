import CardeaModel
import Foundation

/// The confidence of an answer by its evidence: as high as the gravest doubt allows. Each doubt is put into words.
struct AnswerConfidence: Hashable, Sendable {
    var reasons: [UncertaintyReason] = []

    var confidence: Double { reasons.map(\.confidence).min() ?? 1 }

    /// True if something may have happened that the record does not have.
    var hasOutages: Bool {
        reasons.contains { doubt in
            switch doubt {
            case .disconnected, .unclear, .askedOnly, .nobodyKnown: true
            case .silent, .assumed, .erased, .clock, .recordStart, .hidden: false
            }
        }
    }

    /// True if this many devices were out of reach for the whole period, so that nothing of it is on record.
    func hasNoRecord(of devices: Int, from: Date?, to: Date) -> Bool {
        guard let from, devices > 0 else { return false }
        return reasons.count { if case .disconnected(_, let gaps) = $0 { DeviceOutage.cover(gaps, from: from, to: to) } else { false } }
            == devices
    }

    func texts(_ formatter: AnswerFormatter) -> [String] { reasons.map { AnswerFormatter.capitalized($0.text(formatter)) } }
}

extension Reply {
    /// The same reply, with its confidence limited by the evidence.
    func limited(by sureness: AnswerConfidence, _ formatter: AnswerFormatter) -> Reply {
        guard confidence > 0, !sureness.reasons.isEmpty else { return self }
        var reply = self
        reply.confidence = min(confidence, sureness.confidence)
        reply.response = ([response] + sureness.texts(formatter)).joined(separator: " ")
        return reply
    }
}
