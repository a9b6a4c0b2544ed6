/// A line of a table in commas (RFC 4180) that a spreadsheet shows and never computes.
public enum CSVRow {
    /// The cells with their commas, and the end of the line.
    public static func text(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// What begins like a formula is given an apostrophe, by which spreadsheets know a text (OWASP, CSV injection). What holds a comma, a
    /// quotation mark or a line's end is quoted.
    static func cell(_ text: String) -> String {
        let first = text.unicodeScalars.first
        let safe = first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } == true ? "'" + text : text
        guard safe.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
