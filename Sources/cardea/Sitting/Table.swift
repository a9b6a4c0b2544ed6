/// Columns that stand under each other.
struct Table {
    private var rows: [[String]]
    private let head: [String]

    init(_ head: String..., rows: [[String]]) {
        self.head = head
        self.rows = rows
    }

    func text(_ output: Output) -> String { text(output.ink) }

    /// - Parameter paint: how a row's line is drawn, by its place.
    func text(_ ink: Ink, paint: (Int, String) -> String = { $1 }) -> String {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { TextWidth.of(Self.cell($0, column)) }.max() ?? 0 }
        let lines = all.map { row in
            let cells = widths.indices.map { column in TextWidth.fit(Self.cell(row, column), widths[column]) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        return ([ink.dim(lines.first ?? "")] + lines.dropFirst().enumerated().map { paint($0.offset, $0.element) }).joined(separator: "\n")
    }

    private static func cell(_ row: [String], _ column: Int) -> String {
        row.indices.contains(column) ? TextWidth.printable(row[column]) : ""
    }
}
