import Foundation

/// Measures ratios in one run on one machine, and compares them with the checked-in thresholds. A ratio of two figures measured side by
/// side means the same on a fast machine and on a slow one; a time does not.
@main
struct Benchmarks {
    static func main() async throws {
        var report = Report()
        let all = ["gate", "tags", "announcements", "doors", "audit", "forgetting", "lists", "realtime", "answers", "sync"]
        let asked = CommandLine.arguments.dropFirst()
        if let stranger = asked.first(where: { !all.contains($0) }) {
            print("There is no benchmark \(stranger). There are \(all.joined(separator: ", ")); all of them where none is named.")
            exit(64)
        }
        for name in all where asked.isEmpty || asked.contains(name) { try await run(name, &report) }
        exit(try report.finish() ? 0 : 1)
    }

    private static func run(_ name: String, _ report: inout Report) async throws {
        switch name {
        case "gate": GateBenchmark.run(&report)
        case "tags": try TagBenchmark.run(&report)
        case "announcements": AnnouncementBenchmark.run(&report)
        case "doors": try await DoorCommandBenchmark.run(&report)
        case "audit": try await AuditBenchmark.run(&report)
        case "forgetting": try await RetentionBenchmark.run(&report)
        case "lists": try await DeviceListBenchmark.run(&report)
        case "realtime": try await RealtimeBenchmark.run(&report)
        case "answers": try await AnswerBenchmark.run(&report)
        default:
            try await SyncBenchmark.run(&report)
            try await SyncBenchmark.reads(&report)
        }
    }
}

/// The measured figures, and whether they meet their thresholds.
struct Report {
    private struct Threshold: Decodable {
        let at_least: Double
    }

    private var ratios: [(name: String, value: Double)] = []

    func figure(_ name: String, _ value: Double, _ unit: String) {
        print("  \(name): \(value.formatted(.number.precision(.fractionLength(0)))) \(unit)")
    }

    mutating func ratio(_ name: String, _ value: Double) {
        ratios.append((name, value))
    }

    func finish() throws -> Bool {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../thresholds.json").standardized
        let thresholds = try JSONDecoder().decode([String: Threshold].self, from: Data(contentsOf: file))
        var isGood = true
        print("\nRatios, against Benchmarks/thresholds.json:")
        for (name, value) in ratios {
            let wanted = thresholds[name]?.at_least
            let passed = wanted.map { value >= $0 } ?? false
            isGood = isGood && passed
            let text = value.formatted(.number.precision(.fractionLength(3)))
            print("  \(passed ? "ok  " : "SLOW") \(name): \(text) (at least \(wanted.map { "\($0)" } ?? "nothing is checked in"))")
        }
        return isGood
    }
}

/// Events in `seconds`, as a rate per second.
func rate(of count: Int, in duration: Duration) -> Double {
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    return Double(count) / seconds
}
