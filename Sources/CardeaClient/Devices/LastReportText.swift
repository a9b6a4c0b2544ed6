import CardeaAPI
import CardeaModel
import Foundation

/// The text for devices whose present state is not known: their last report and its time, by the house's clock.
public struct LastReportText: Sendable {
    private let clock: HouseClock

    public init(_ clock: HouseClock) {
        self.clock = clock
    }

    /// `not known, last reported locked at 23:34`, or `assumed` if its device never reports. Nil if its state is known, and if an older hub
    /// reports neither.
    public func text(_ entity: EntityAnswer) -> String? {
        if let report = entity.lastReported { return unknownState([(Self.word(report.state, of: entity), report.at)]) }
        guard entity.isAssumed == true else { return nil }
        return entity.state == "unknown" ? "assumed" : "\(Self.word(entity.state, of: entity)), assumed"
    }

    /// The same for all main entities of a device, with the known ones first: `locked; not known, last reported open at 23:34`. Nil if all
    /// states are known.
    public func text(_ device: DeviceAnswer) -> String? {
        let enabled = device.entities.filter(\.isEnabled)
        let own = enabled.filter { $0.category == nil }
        // A single occurrence, a press or a picture, is not a state.
        let entities = (own.isEmpty ? enabled : own).filter { ![.button, .event, .image].contains($0.kind) }
        let reports = entities.compactMap { entity -> (word: String, at: Date)? in
            guard let report = entity.lastReported else { return nil }
            return (Self.word(report.state, of: entity), report.at)
        }
        let rest = entities.filter { $0.lastReported == nil }
        var assumed: [String] = []
        for words in rest.compactMap({ text($0) }) where !assumed.contains(words) { assumed.append(words) }
        guard !reports.isEmpty || !assumed.isEmpty else { return nil }
        let known = rest.filter { $0.isAssumed != true && $0.state != "unknown" }.map { Self.word($0.state, of: $0) }
        let told = [known.joined(separator: ", ")] + assumed + (reports.isEmpty ? [] : [unknownState(reports)])
        return told.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// - Parameter reports: each a state in a word, and when it was reported; none if nothing ever was.
    public func unknownState(_ reports: [(word: String, at: Date)]) -> String {
        var groups: [(when: String, words: [String])] = []
        for report in reports {
            let when = clock.reportTime(report.at)
            if let place = groups.firstIndex(where: { $0.when == when }) {
                groups[place].words.append(report.word)
            } else {
                groups.append((when: when, words: [report.word]))
            }
        }
        guard !groups.isEmpty else { return "not known" }
        return "not known, last reported " + groups.map { "\($0.words.joined(separator: ", ")) \($0.when)" }.joined(separator: ", ")
    }

    private static func word(_ state: String, of entity: EntityAnswer) -> String {
        ([state.replacing("_", with: " "), entity.unitOfMeasurement] as [String?]).compactMap(\.self).joined(separator: " ")
    }
}

extension HouseClock {
    /// For a last report: `at 23:34` today, `on 12 Nov at 23:34` on another day.
    public func reportTime(_ date: Date) -> String { ReportTimeText.text(date, now: now, in: zone) }
}
