/// Columns that stand under each other.
struct Table {
    private var rows: [[String]]
    private let head: [String]

    init(_ head: String..., rows: [[String]]) {
        self.head = head
        self.rows = rows
    }

    func text(_ output: Output) -> String {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { Self.cell($0, column).count }.max() ?? 0 }
        let lines = all.map { row in
            let cells = widths.indices.map { column -> String in
                let cell = Self.cell(row, column)
                return cell + String(repeating: " ", count: max(0, widths[column] - cell.count))
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        return ([output.dim(lines.first ?? "")] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func cell(_ row: [String], _ column: Int) -> String {
        row.indices.contains(column) ? row[column] : ""
    }
}
