/// A table with aligned columns.
struct Table {
    private var rows: [[String]]
    private let head: [String]

    init(_ head: String..., rows: [[String]]) {
        self.head = head
        self.rows = rows
    }

    func text(_ output: Output) -> String { text(output.style) }

    func text(_ style: TerminalStyle) -> String {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { TextWidth.of(Self.cell($0, column)) }.max() ?? 0 }
        let lines = all.map { row in
            let cells = widths.indices.map { column in TextWidth.fit(Self.cell(row, column), widths[column]) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        return ([style.dim(lines.first ?? "")] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func cell(_ row: [String], _ column: Int) -> String {
        row.indices.contains(column) ? TextWidth.printable(row[column]) : ""
    }
}
