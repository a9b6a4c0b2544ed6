import CardeaAPI
import CardeaClient
import Foundation

/// A sensor's history in a terminal: a line of blocks with its highest and lowest, or every value.
struct HistoryText {
    private let answer: HistoryAnswer
    private let clock: HouseClock

    init(_ answer: HistoryAnswer, clock: HouseClock) {
        self.answer = answer
        self.clock = clock
    }

    func summary(of name: String, span: String) -> String {
        let values = answer.points.map { (at: $0.at, value: $0.value ?? $0.mean ?? 0) }
        let lows = answer.points.map { (at: $0.at, value: $0.value ?? $0.min ?? 0) }
        let highs = answer.points.map { (at: $0.at, value: $0.value ?? $0.max ?? 0) }
        guard let low = lows.min(by: { $0.value < $1.value }), let high = highs.max(by: { $0.value < $1.value }),
            let last = values.last
        else { return "\(name), last \(span): no values." }
        let line = Sparkline.text(values, from: answer.from, to: answer.to, width: 48)
        return """
            \(name), last \(span)
            \(line)
            lowest \(valueText(low.value)) at \(clock.short(low.at)), highest \(valueText(high.value)) at \(clock.short(high.at)), \
            latest \(valueText(last.value)) at \(clock.short(last.at))
            """
    }

    func table(_ output: Output) -> String {
        guard answer.resolution == "hour" else {
            return Table("WHEN", "VALUE", rows: answer.points.map { [clock.short($0.at), $0.value.map(valueText) ?? ""] }).text(output)
        }
        let rows = answer.points.map { point in
            [clock.short(point.at), point.min.map(valueText) ?? "", point.mean.map(valueText) ?? "", point.max.map(valueText) ?? ""]
        }
        return Table("HOUR", "LOWEST", "MEAN", "HIGHEST", rows: rows).text(output)
    }

    private func valueText(_ value: Double) -> String {
        StateText.number(value) + (answer.unitOfMeasurement.map { " \($0)" } ?? "")
    }
}

/// Values over time as one line of blocks. A gap stays a gap.
enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    static func text(_ values: [(at: Date, value: Double)], from: Date, to: Date, width: Int) -> String {
        let length = to.timeIntervalSince(from)
        guard length > 0, width > 0 else { return "" }
        var columns = Array(repeating: (sum: 0.0, count: 0), count: width)
        for (at, value) in values where value.isFinite {
            let share = at.timeIntervalSince(from) / length
            guard share >= 0, share <= 1 else { continue }
            let column = min(width - 1, Int(share * Double(width)))
            columns[column].sum += value
            columns[column].count += 1
        }
        let means = columns.map { $0.count > 0 ? $0.sum / Double($0.count) : nil }
        let known = means.compactMap { $0 }
        guard let low = known.min(), let high = known.max() else { return "" }
        return String(
            means.map { mean -> Character in
                guard let mean else { return " " }
                // A constant line is drawn in the middle, not at the bottom.
                guard high > low else { return blocks[3] }
                return blocks[min(blocks.count - 1, Int((mean - low) / (high - low) * Double(blocks.count)))]
            })
    }
}
