import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Removes the names of an erased person from texts that the house, machines and devices wrote, not people.
struct NameRedaction: Sendable {
    let store: Store
    /// The names to remove.
    let names: [String]

    /// Rows that are changed in one commit.
    private static let batchSize = 500

    /// Texts of one kind, and what happens to a row that contains a name.
    private struct TextSource: Sendable {
        let purpose: TableRetentionPolicy.Purpose
        let table: String
        /// The words, as an SQL expression.
        let textSQL: String
        /// The condition for rows that have such text.
        var filterSQL = "1"
        /// The assignment that changes such a row; nil to delete it.
        let changeSQL: String?
    }

    private static let textSources: [TextSource] = [
        // First the reasons of failed commands, in the words of a device or another system: automations copy them from here. The failure
        // itself stays, with a reason code of the audit log.
        TextSource(
            purpose: .commands, table: "commands", textSQL: "opened(reason, 'commands.reason', id)", filterSQL: "reason IS NOT NULL",
            changeSQL: "reason = sealed(\(statusCodeSQL(of: "status")), 'commands.reason', id)"),
        TextSource(
            purpose: .activity, table: "journal", textSQL: "json_extract(\(journalDataSQL), '$.reason')",
            filterSQL: "kind = '\(Journal.Kind.commandChanged.rawValue)'",
            changeSQL: """
                data = sealed(json_set(\(journalDataSQL), '$.reason', \(statusCodeSQL(of: "json_extract(\(journalDataSQL), '$.status')"))), 'journal.data', seq)
                """),
        // Notifications are made of it. In the journal, a person's question and the house's message.
        TextSource(
            purpose: .notices, table: "journal", textSQL: "opened(data, 'journal.data', seq)",
            filterSQL: "kind IN ('\(Journal.Kind.sealedKinds.map(\.rawValue).joined(separator: "', '"))')",
            changeSQL: "subject = NULL, data = '{}'"),
        TextSource(purpose: .notices, table: "notices", textSQL: "opened(words, 'notices.words', id)", changeSQL: nil),
        TextSource(purpose: .notices, table: "happenings", textSQL: "opened(words, 'happenings.words', source)", changeSQL: "words = NULL"),
    ]

    /// A row of the journal; nothing if it does not open.
    private static let journalDataSQL = "nullif(opened(data, 'journal.data', seq), '')"

    private static func statusCodeSQL(of status: String) -> String {
        """
        iif(\(status) = '\(CommandStatus.unknown.rawValue)', '\(AuditReason.uncertain.rawValue)', '\(AuditReason.turnedDown.rawValue)')
        """
    }

    /// - Returns: the number of rows that contained a name, by purpose.
    func redact() async throws -> [TableRetentionPolicy.Purpose: Int] {
        guard !names.isEmpty else { return [:] }
        var gone: [TableRetentionPolicy.Purpose: Int] = [:]
        for saying in Self.textSources { gone[saying.purpose, default: 0] += try await redact(saying) }
        gone[.automations] = try await redactOutcomes()
        gone[.events] = try await redactEvents()
        return gone
    }

    /// The audit log's own words, such as `no_turn`, are not names.
    private func isNamed(in text: String) -> Bool {
        AuditReason(rawValue: text) == nil && names.contains { NameMention.contains(text, $0) }
    }

    private func redact(_ saying: TextSource) async throws -> Int {
        let keys = try await store.read { db in
            var found: [Int64] = []
            let rows = try Row.fetchCursor(
                db, sql: "SELECT rowid, coalesce(\(saying.textSQL), '') FROM \(saying.table) WHERE \(saying.filterSQL)")
            while let row = try rows.next() {
                if isNamed(in: row[1]) { found.append(row[0]) }
            }
            return found
        }
        let sql = saying.changeSQL.map { "UPDATE \(saying.table) SET \($0)" } ?? "DELETE FROM \(saying.table)"
        try await inBatches(keys) { part, db in try db.execute(literal: "\(sql: sql) WHERE rowid IN \(part)") }
        return keys.count
    }

    /// Nothing is left of one that cannot be decrypted.
    private static let outcomesSQL = "coalesce(nullif(opened(outcomes, 'automation_runs.outcomes', number), ''), '[]')"

    /// Redacts the reasons in the outcomes of automation runs, as in the commands themselves.
    private func redactOutcomes() async throws -> Int {
        let runs = try await store.read { db in
            var found: [Int64] = []
            let rows = try Row.fetchCursor(db, sql: "SELECT number, \(Self.outcomesSQL) FROM automation_runs WHERE outcomes <> '[]'")
            while let row = try rows.next() {
                if try redacted(row[1]) != nil { found.append(row[0]) }
            }
            return found
        }
        try await inBatches(runs) { part, db in
            // Read again inside the write: a run that waits for its commands may have continued meanwhile.
            for run in part {
                let outcomes = try String.fetchOne(
                    db, sql: "SELECT \(Self.outcomesSQL) FROM automation_runs WHERE number = ?", arguments: [run])
                guard let outcomes = try outcomes.flatMap(redacted) else { continue }
                try db.execute(
                    sql: "UPDATE automation_runs SET outcomes = sealed(?, 'automation_runs.outcomes', number) WHERE number = ?",
                    arguments: [outcomes, run])
            }
        }
        return runs.count
    }

    /// - Returns: nil if no name occurs.
    private func redacted(_ outcomes: String) throws -> String? {
        guard case .array(var all) = try JSONText.decode(outcomes) else { return nil }
        var isChanged = false
        for place in all.indices {
            guard case .object(var members) = all[place], let reason = members["reason"]?.string, isNamed(in: reason) else { continue }
            let isUnknown = members["status"]?.string == CommandStatus.unknown.rawValue
            members["reason"] = .string((isUnknown ? AuditReason.uncertain : .turnedDown).rawValue)
            all[place] = .object(members)
            isChanged = true
        }
        return isChanged ? try JSONText.encode(.array(all)) : nil
    }

    /// Redacts the descriptions of events: a camera's software may recognise faces, and a describer puts pictures into words.
    private func redactEvents() async throws -> Int {
        let ids = try await store.read { [names] in try EventRecords.mentions(of: names, $0) }
        try await inBatches(ids) { part, db in try EventRecords.clearDescriptions(part, in: db) }
        return ids.count
    }

    /// In small commits, that no door waits for.
    private func inBatches<Found: Sendable>(_ all: [Found], _ body: @escaping @Sendable ([Found], Database) throws -> Void) async throws {
        for start in stride(from: 0, to: all.count, by: Self.batchSize) {
            try Task.checkCancellation()
            let part = Array(all[start..<min(start + Self.batchSize, all.count)])
            try await store.write { try body(part, $0) }
        }
    }
}
