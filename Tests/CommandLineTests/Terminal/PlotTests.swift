import Foundation
import Testing

@testable import cardea

@Suite("Line charts in the terminal")
struct PlotTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func plot(_ count: Int, _ value: (Int) -> Double) -> Plot {
        let points = (0..<count).map { (at: start + Double($0) * 3600, value: value($0)) }
        return Plot(
            series: [
                .init(name: "would be", lineStyle: .solid, points: points),
                .init(name: "usually", lineStyle: .dotted, points: points.map { ($0.at, 20) }),
            ],
            band: .init(name: "in 95 of 100 cases", points: points.map { ($0.at, $0.value - 2, $0.value + 2) }), unit: "°C")
    }

    private func text(_ plot: Plot, width: Int = 60, style: TerminalStyle = TerminalStyle(isColoured: false)) -> String? {
        plot.text(width: width, style: style) { "\(Int($0.timeIntervalSince(start) / 3600))h" }
    }

    @Test("A rising line runs from lower left to upper right within its band, with labelled axes")
    func rising() throws {
        let lines = try #require(text(plot(24) { 18 + Double($0) / 4 })).split(separator: "\n").map(String.init)

        #expect(lines.count == 12)
        func isDot(_ character: Character) -> Bool { character.unicodeScalars.first.map { (0x2801...0x28FF).contains($0.value) } ?? false }
        let columns = lines.prefix(9).map { Array($0).firstIndex(where: isDot) }
        let dotted = columns.compactMap(\.self)
        #expect(dotted.count >= 4 && dotted == dotted.sorted(by: >), "higher is later")
        #expect(lines[0].contains("°C") && lines[4].contains("°C") && lines[8].contains("°C") && !lines[1].contains("°C"))
        #expect(lines.prefix(9).contains { $0.contains("░") } && lines.prefix(9).contains { $0.contains("·") })
        #expect(lines[10].contains("0h") && lines[10].hasSuffix("23h"))
        #expect(lines[11].contains("would be") && lines[11].contains("usually") && lines[11].contains("95 of 100"))
        #expect(lines.prefix(10).allSatisfy { TextWidth.of($0) <= 60 })
    }

    @Test("Escape sequences appear only with colours enabled")
    func colours() throws {
        #expect(try #require(text(plot(8) { Double($0) })).contains("\u{1B}") == false)
        #expect(try #require(text(plot(8) { Double($0) }, style: TerminalStyle(isColoured: true))).contains("\u{1B}["))
    }

    @Test("Empty data gives no chart; single values, flat lines and extreme widths are drawn")
    func edgeCases() {
        #expect(text(plot(0) { _ in 0 }) == nil && text(plot(1) { _ in 0 }) == nil && text(plot(9) { _ in .nan }) != nil)
        for value in [0, -5, 1e-9, 1e300, -.greatestFiniteMagnitude, .greatestFiniteMagnitude] {
            for width in [0, 1, 20, 10_000] { #expect(text(plot(9) { $0 == 4 ? value : 0 }, width: width) != nil) }
        }
    }

    @Test("A gap of hours is left empty")
    func gap() throws {
        let far = [0, 1, 20, 21].map { (at: start + Double($0) * 3600, value: 5.0) }
        let plot = Plot(series: [.init(name: "measured", lineStyle: .solid, points: far)], unit: "")
        let drawn = try #require(text(plot, width: 50)).split(separator: "\n").prefix(9).joined()

        #expect(drawn.unicodeScalars.count { (0x2801...0x28FF).contains($0.value) } < 12)
    }
}
