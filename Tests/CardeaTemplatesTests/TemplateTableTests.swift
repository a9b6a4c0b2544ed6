import Foundation
import Testing

@Suite("Templates compared with Home Assistant")
struct TemplateTableTests {
    /// Templates with another result here, each with its reason.
    private static let differences: [String: String] = [
        #"{{ value_json['temperature'] }} of {"temperature": 12345678901234567890}"#: "an integer has 64 bits; a larger one is a float",
        "{{ value_json.big | timestamp_custom('%A %a %B %b %d %-d %e %I:%M %p %j %y %U %W %V %u %w %Z %z %%') }}":
            "Foundation writes the abbreviation of most zones as GMT+1",
        "{{ 1751328000 | timestamp_custom('%-H:%M %Z') }}": "Foundation writes the abbreviation of most zones as GMT+1",
    ]

    private func isKnown(_ row: TemplateTable.Row) -> Bool {
        Self.differences[row.description] != nil || Self.differences[row.template] != nil
    }

    @Test("Every row matches Home Assistant or has a reason")
    func table() throws {
        let rows = try TemplateTable.rows(at: TemplateTable.file)
        #expect(rows.count >= 1_000)
        var known = 0
        for row in rows {
            let outcome = TemplateTable.outcome(of: row)
            if isKnown(row) {
                known += 1
                #expect(outcome != row.expected, "\(row) needs no reason")
            } else {
                #expect(outcome == row.expected, "\(row)")
            }
        }
        #expect(known == Self.differences.count)
    }

    /// `JSONValue` has one kind of number and no order of members, so a few results differ in their digits or their order alone.
    @Test("A plain JSON value gives the same results, except for whole floats and member order")
    func plainValues() throws {
        let rows = try TemplateTable.rows(at: TemplateTable.file).filter { !isKnown($0) }
        let others = rows.filter { TemplateTable.outcome(of: $0, isPlain: true) != $0.expected }
        #expect(others.count <= 40, "\(others.map(\.description))")
        for row in others {
            let payload = row.payload ?? ""
            let hasOrder = row.template.contains("value_json.o") || row.template.contains("tojson") || row.template.contains("to_json")
            #expect(payload.contains(".0") || payload.contains("e20") || payload.contains("\"b\"") || hasOrder, "\(row)")
        }
    }

    /// The long suite names a file with more random rows that were rendered by a real Home Assistant; without one, it is the gate's table.
    @Test("Random templates match Home Assistant")
    func diced() throws {
        let named = ProcessInfo.processInfo.environment["CARDEA_TEMPLATE_TABLE"].map { URL(filePath: $0) }
        let rows = try TemplateTable.rows(at: named ?? TemplateTable.file).filter { !isKnown($0) }
        var limited = 0
        for row in rows {
            let outcome = TemplateTable.outcome(of: row)
            // Home Assistant has fewer limits, and its own type for HTML-safe text.
            if outcome == .limit || row.expected == .limit || row.result?.contains("Markup(") == true {
                limited += 1
                continue
            }
            #expect(outcome == row.expected, "\(row)")
        }
        #expect(limited <= rows.count / 20)
    }
}
