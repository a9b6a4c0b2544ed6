import Foundation

/// Measures ratios in one run on one machine, and holds them against the thresholds that are checked in.
/// A ratio of two figures taken side by side means the same on a fast machine and on a slow one; a time does not.
@main
struct Benchmarks {
    static func main() async throws {
        var report = Report()
        GateBenchmark.run(&report)
        try TagBenchmark.run(&report)
        try await DoorBenchmark.run(&report)
        try await ListBenchmark.run(&report)
        try await RealtimeBenchmark.run(&report)
        try await SyncBenchmark.run(&report)
        try await SyncBenchmark.reads(&report)
        exit(try report.finish() ? 0 : 1)
    }
}

/// What was measured, and whether it is good enough.
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
