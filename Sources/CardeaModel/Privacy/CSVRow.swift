/// A line of a table in commas (RFC 4180) that a spreadsheet shows and never computes. Every table that the house gives away is made of these.
public enum CSVRow {
    /// Stands before the first line. By this byte order mark spreadsheets know UTF-8; without it they show umlauts as other letters.
    public static let byteOrderMark = "\u{FEFF}"

    /// The cells with their commas, and the end of the line.
    public static func text(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// A text that begins like a formula is given an apostrophe, by which spreadsheets know a text (OWASP, CSV injection).
    ///
    /// A spreadsheet may use a character other than the comma as separator, as it does where a comma is the decimal sign: behind each
    /// of those the same holds. A cell with such a character, a quotation mark or a line's end is quoted.
    static func cell(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var safe = String.UnicodeScalarView()
        for (place, scalar) in scalars.enumerated() {
            let begins = place == 0 || separators.contains(scalars[place - 1])
            if begins, beginsFormula(scalars[place...], ofCell: place == 0) { safe.append("'") }
            safe.append(scalar)
        }
        guard safe.contains(where: { separators.contains($0) || $0 == "\"" }) else { return String(safe) }
        return "\"" + String(safe).replacing("\"", with: "\"\"") + "\""
    }

    private static let separators = Set(",;\t|\r\n".unicodeScalars)
    /// Also as they are written in full width.
    private static let formulaSigns = Set("=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)

    /// Blanks and quotation marks before a sign are passed over: a spreadsheet may take them away.
    private static func beginsFormula(_ rest: ArraySlice<Unicode.Scalar>, ofCell isFirst: Bool) -> Bool {
        if let first = rest.first, first == "\t" || first == "\r" || isFirst && first == "\n" { return true }
        return rest.first { $0 != "\"" && $0.properties.generalCategory != .spaceSeparator }.map(formulaSigns.contains) == true
    }
}
