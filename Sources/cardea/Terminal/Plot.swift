import Foundation

/// Lines over time in a terminal: dots of braille, eight to a character, and shade where a line is only known to lie between two others.
struct Plot {
    struct Series {
        let name: String
        let lineStyle: LineStyle
        let points: [(at: Date, value: Double)]
    }

    enum LineStyle {
        /// A drawn line.
        case solid
        /// One dot per column, for a series to compare with.
        case dotted
    }

    /// The range that contains 95 of 100 cases.
    struct ConfidenceBand {
        let name: String
        let points: [(at: Date, low: Double, high: Double)]
    }

    var series: [Series]
    var band: ConfidenceBand?
    /// After the numbers on the left.
    var unit: String
    /// Rows of characters.
    var height = 9

    /// The gap in seconds after which a line is interrupted.
    private static let maxGap: TimeInterval = 3 * 3600 + 1

    /// - Parameters:
    ///   - width: columns, including the labels on the left.
    ///   - time: the label for a moment on the time axis.
    /// - Returns: nil if there is nothing to draw.
    func text(width: Int, style: TerminalStyle, time: (Date) -> String) -> String? {
        let lines = series.map { line in (line, line.points.filter { $0.value.isFinite }.sorted { $0.at < $1.at }) }
        let shade = (band?.points ?? []).filter { $0.low.isFinite && $0.high.isFinite }.sorted { $0.at < $1.at }
        let values = lines.flatMap { $0.1.map(\.value) } + shade.flatMap { [$0.low, $0.high] }
        let moments = lines.flatMap { $0.1.map(\.at) } + shade.map(\.at)
        guard let low = values.min(), let high = values.max(), let from = moments.min(), let to = moments.max(), from < to else {
            return nil
        }
        let scale = Scale(low: low, high: high)
        let labels = scale.labels(rows: height).map { $0.isEmpty || unit.isEmpty ? $0 : "\($0) \(unit)" }
        let margin = (labels.map(TextWidth.of).max() ?? 0) + 1
        let columns = max(min(width, 160) - margin - 1, 16)
        var canvas = Canvas(columns: columns, rows: height)
        func x(_ at: Date) -> Double { at.timeIntervalSince(from) / to.timeIntervalSince(from) }

        for (one, next) in zip(shade, shade.dropFirst()) {
            canvas.shade(
                from: (x(one.at), scale.fraction(one.low), scale.fraction(one.high)),
                to: (x(next.at), scale.fraction(next.low), scale.fraction(next.high)))
        }
        for (line, points) in lines {
            for (one, next) in zip(points, points.dropFirst()) where next.at.timeIntervalSince(one.at) <= Self.maxGap {
                canvas.draw(
                    from: (x(one.at), scale.fraction(one.value)), to: (x(next.at), scale.fraction(next.value)), with: line.lineStyle)
            }
            if let only = points.first, points.count == 1 {
                canvas.draw(
                    from: (x(only.at), scale.fraction(only.value)), to: (x(only.at), scale.fraction(only.value)), with: line.lineStyle)
            }
        }

        var rows = canvas.rows(style).enumerated().map { place, row in
            let label = labels[place]
            return String(repeating: " ", count: margin - 1 - TextWidth.of(label)) + style.dim(label) + (label.isEmpty ? " │" : " ┤") + row
        }
        rows.append(String(repeating: " ", count: margin) + "└" + String(repeating: "─", count: columns))
        rows.append(
            String(repeating: " ", count: margin + 1)
                + style.dim(Self.timeAxis([from, from + to.timeIntervalSince(from) / 2, to].map(time), columns)))
        rows.append(String(repeating: " ", count: margin + 1) + legend(style))
        return rows.joined(separator: "\n")
    }

    private func legend(_ style: TerminalStyle) -> String {
        var parts = series.filter { !$0.points.isEmpty }.map { line in
            switch line.lineStyle {
            case .solid: "\(style.green("⠒⠒")) \(line.name)"
            case .dotted: "\(style.yellow("··")) \(line.name)"
            }
        }
        if let band, !band.points.isEmpty { parts.append("\(style.dim("░░")) \(band.name)") }
        return parts.joined(separator: "   ")
    }

    /// The first at the left, the last at the right, the other in the middle where there is room for it.
    private static func timeAxis(_ words: [String], _ columns: Int) -> String {
        let widths = words.map(TextWidth.of)
        guard words.count == 3, widths[0] + widths[2] + 2 <= columns else { return TextWidth.cut(words.first ?? "", columns) }
        let middle = (columns - widths[1]) / 2
        let right = columns - widths[2]
        guard widths[0] + 1 < middle, middle + widths[1] + 1 < right else {
            return words[0] + String(repeating: " ", count: right - widths[0]) + words[2]
        }
        return words[0] + String(repeating: " ", count: middle - widths[0]) + words[1]
            + String(repeating: " ", count: right - middle - widths[1]) + words[2]
    }
}

// MARK: Vertical scale

extension Plot {
    /// The lower and upper bounds of the plot.
    private struct Scale {
        let low: Double
        let high: Double

        init(low: Double, high: Double) {
            // A constant line is drawn in the middle.
            let room = high > low ? (high - low) * 0.05 : max(abs(high) * 0.05, 0.5)
            // The largest numbers have no room around them.
            self.low = max(low - room, -.greatestFiniteMagnitude / 4)
            self.high = min(high + room, .greatestFiniteMagnitude / 4)
        }

        /// 0 at the bottom, 1 at the top.
        func fraction(_ value: Double) -> Double { min(max((value - low) / (high - low), 0), 1) }

        /// At the top, in the middle and at the bottom; empty elsewhere.
        func labels(rows: Int) -> [String] {
            (0..<rows).map { row in
                guard row == 0 || row == rows - 1 || row == rows / 2 else { return "" }
                let value = high - (high - low) * (Double(row) + 0.5) / Double(rows)
                guard abs(value) < 1e9 else { return String(format: "%.1e", value) }
                return String(format: high - low < 0.5 ? "%.3f" : high - low < 20 ? "%.1f" : "%.0f", value)
            }
        }
    }
}

// MARK: Dots

extension Plot {
    /// Two by four dots to a character.
    private struct Canvas {
        private let columns: Int
        private let height: Int
        private var dots: [UInt8]
        private var marks: Set<Int> = []
        private var shades: Set<Int> = []

        init(columns: Int, rows: Int) {
            self.columns = columns
            height = rows
            dots = Array(repeating: 0, count: columns * rows)
        }

        /// U+2800's bits, by column and by row from the top.
        private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

        private func index(_ share: Double, _ count: Int) -> Int { min(max(Int((share * Double(count)).rounded(.down)), 0), count - 1) }

        mutating func draw(from one: (x: Double, y: Double), to other: (x: Double, y: Double), with pen: LineStyle) {
            let (wide, tall) = (columns * 2, height * 4)
            let (left, right) = (index(one.x, wide), index(other.x, wide))
            let (low, high) = (index(one.y, tall), index(other.y, tall))
            // One step per dot on the longer axis.
            let steps = max(abs(right - left), abs(high - low), 1)
            for step in 0...steps {
                let x = left + (right - left) * step / steps
                let y = tall - 1 - (low + (high - low) * step / steps)
                let cell = y / 4 * columns + x / 2
                switch pen {
                case .solid: dots[cell] |= Self.bits[x % 2][y % 4]
                case .dotted: marks.insert(cell)
                }
            }
        }

        mutating func shade(from one: (x: Double, low: Double, high: Double), to other: (x: Double, low: Double, high: Double)) {
            let (left, right) = (index(one.x, columns), index(other.x, columns))
            for column in left...max(left, right) {
                let part = right > left ? Double(column - left) / Double(right - left) : 0
                let bottom = index(one.low + (other.low - one.low) * part, height)
                let top = index(one.high + (other.high - one.high) * part, height)
                for row in bottom...max(bottom, top) { shades.insert((height - 1 - row) * columns + column) }
            }
        }

        func rows(_ style: TerminalStyle) -> [String] {
            (0..<height).map { row in
                (0..<columns).map { column in
                    let cell = row * columns + column
                    if dots[cell] != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(dots[cell])) { return style.green(String(scalar)) }
                    if marks.contains(cell) { return style.yellow("·") }
                    return shades.contains(cell) ? style.dim("░") : " "
                }
                .joined()
            }
        }
    }
}

extension Output {
    /// Columns for a drawing: the terminal's, or 80 without one.
    var columns: Int { isTerminal ? AlternateScreen.size.columns : 80 }
}
