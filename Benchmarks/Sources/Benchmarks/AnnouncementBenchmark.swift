import CardeaHub
import CardeaMQTT
import CardeaModel
import Foundation

/// How many announcements, and how many states through templates, are read per second, compared with parsing the same JSON alone.
enum AnnouncementBenchmark {
    private static let houses = 50
    private static let rounds = 40
    private static let repeats = 5

    static func run(_ report: inout Report) {
        print("Announcements")
        let samples = (0..<houses).flatMap(AnnouncementSamples.samples)
        announcements(samples, &report)
        states(samples, &report)
    }

    private static func announcements(_ samples: [AnnouncementSamples.Sample], _ report: inout Report) {
        let replay = DiscoveryReplay()
        let payloads = samples.map { (topic: $0.topic, bytes: Array($0.announcement.utf8)) }
        let entities = samples.map(\.entityCount).reduce(0, +)
        let (read, bare) = fastest(of: rounds * payloads.count) {
            for _ in 0..<rounds {
                let count = payloads.map { replay.entityCount(of: $0.bytes, at: $0.topic) ?? 0 }.reduce(0, +)
                precondition(count == entities, "not every announcement was understood")
            }
        } beside: {
            for _ in 0..<rounds {
                precondition(payloads.allSatisfy { JSONValue.read($0.bytes) != nil })
            }
        }
        report.figure("announcements read", read, "/s")
        report.figure("the same JSON, bare", bare, "/s")
        report.ratio("announcements_read_to_bare_json", read / bare)
    }

    private static func states(_ samples: [AnnouncementSamples.Sample], _ report: inout Report) {
        let now = Date(timeIntervalSince1970: 1_795_269_600)
        var replay = DiscoveryReplay()
        for sample in samples { _ = replay.receive(Array(sample.announcement.utf8), at: sample.topic, now: now) }
        let messages = (0..<rounds).flatMap { round in
            (0..<houses).flatMap { AnnouncementSamples.messages($0, round: round) }.map { (topic: $0.topic, bytes: Array($0.payload.utf8)) }
        }
        let (heard, bare) = fastest(of: messages.count) {
            let count = messages.map { replay.receive($0.bytes, at: $0.topic, now: now).count }.reduce(0, +)
            precondition(count == messages.count, "not every message told one state")
        } beside: {
            precondition(messages.allSatisfy { JSONValue.read($0.bytes) != nil })
        }
        report.figure("states through templates", heard, "/s")
        report.figure("the same JSON, bare", bare, "/s")
        report.ratio("states_through_templates_to_bare_json", heard / bare)
    }

    /// The best rates per second of two bodies that take turns, so that other work on the machine affects both.
    private static func fastest(of count: Int, _ body: () -> Void, beside other: () -> Void) -> (Double, Double) {
        var best = (Double(0), Double(0))
        for _ in 0..<repeats {
            best.0 = max(best.0, rate(of: count, in: ContinuousClock().measure(body)))
            best.1 = max(best.1, rate(of: count, in: ContinuousClock().measure(other)))
        }
        return best
    }
}
