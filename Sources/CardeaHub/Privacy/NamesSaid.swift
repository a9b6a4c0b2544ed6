import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// What the house, machines and devices said of somebody by name, in words that are no person's own: it goes when they are erased.
struct NamesSaid: Sendable {
    let store: Store
    /// What they were called.
    let names: [String]

    /// Rows that are changed in one commit.
    private static let batch = 500

    /// Words of one kind, and what becomes of a row in which a name stands.
    private struct Saying: Sendable {
        let purpose: Holding.Purpose
        let table: String
        /// The words, as SQL reads them.
        let words: String
        /// Which rows have any.
        var only = "1"
        /// What is set in such a row; nil where it goes.
        let change: String?
    }

    private static let sayings: [Saying] = [
        // First of all, why something was not done, as a device or another system said it: what automations note and tell of it, they read here.
        // That it was not done stays, and is told in the record's word.
        Saying(
            purpose: .commands, table: "commands", words: "opened(reason, 'commands.reason', id)", only: "reason IS NOT NULL",
            change: "reason = sealed(\(code(of: "status")), 'commands.reason', id)"),
        Saying(
            purpose: .activity, table: "journal", words: "json_extract(\(data), '$.reason')",
            only: "kind = '\(Journal.Kind.commandChanged.rawValue)'",
            change: """
                data = sealed(json_set(\(data), '$.reason', \(code(of: "json_extract(\(data), '$.status')"))), 'journal.data', seq)
                """),
        // Notices are made of it. Of the journal, what somebody asked, and what the house had to say.
        Saying(
            purpose: .notices, table: "journal", words: "opened(data, 'journal.data', seq)",
            only: "kind IN ('\(Journal.Kind.inWords.map(\.rawValue).joined(separator: "', '"))')", change: "subject = NULL, data = '{}'"),
        Saying(purpose: .notices, table: "notices", words: "opened(words, 'notices.words', id)", change: nil),
        Saying(purpose: .notices, table: "happenings", words: "opened(words, 'happenings.words', source)", change: "words = NULL"),
    ]

    /// A row of the journal; nothing where it does not open.
    private static let data = "nullif(opened(data, 'journal.data', seq), '')"

    private static func code(of status: String) -> String {
        """
        iif(\(status) = '\(CommandStatus.unknown.rawValue)', '\(AuditReason.uncertain.rawValue)', '\(AuditReason.turnedDown.rawValue)')
        """
    }

    /// - Returns: in how many rows they were named, by what those are for.
    func forget() async throws -> [Holding.Purpose: Int] {
        guard !names.isEmpty else { return [:] }
        var gone: [Holding.Purpose: Int] = [:]
        for saying in Self.sayings { gone[saying.purpose, default: 0] += try await forget(saying) }
        gone[.automations] = try await forgetOutcomes()
        gone[.events] = try await forgetEvents()
        return gone
    }

    /// The record's own words, as in `no_turn`, are nobody's name.
    private func isNamed(in text: String) -> Bool {
        AuditReason(rawValue: text) == nil && names.contains { Mentioning.mentions(text, $0) }
    }

    private func forget(_ saying: Saying) async throws -> Int {
        let keys = try await store.read { db in
            var found: [Int64] = []
            let rows = try Row.fetchCursor(db, sql: "SELECT rowid, coalesce(\(saying.words), '') FROM \(saying.table) WHERE \(saying.only)")
            while let row = try rows.next() {
                if isNamed(in: row[1]) { found.append(row[0]) }
            }
            return found
        }
        let sql = saying.change.map { "UPDATE \(saying.table) SET \($0)" } ?? "DELETE FROM \(saying.table)"
        try await each(keys) { part, db in try db.execute(literal: "\(sql: sql) WHERE rowid IN \(part)") }
        return keys.count
    }

    /// Of one that does not open nothing is left.
    private static let outcomes = "coalesce(nullif(opened(outcomes, 'automation_runs.outcomes', number), ''), '[]')"

    /// What automations note of what they asked for says why it was not done, as the command does.
    private func forgetOutcomes() async throws -> Int {
        let runs = try await store.read { db in
            var found: [Int64] = []
            let rows = try Row.fetchCursor(db, sql: "SELECT number, \(Self.outcomes) FROM automation_runs WHERE outcomes <> '[]'")
            while let row = try rows.next() {
                if try unnamed(row[1]) != nil { found.append(row[0]) }
            }
            return found
        }
        try await each(runs) { part, db in
            // Read once more where it is written: a run that waits for its commands may have gone on meanwhile.
            for run in part {
                let outcomes = try String.fetchOne(
                    db, sql: "SELECT \(Self.outcomes) FROM automation_runs WHERE number = ?", arguments: [run])
                guard let outcomes = try outcomes.flatMap(unnamed) else { continue }
                try db.execute(
                    sql: "UPDATE automation_runs SET outcomes = sealed(?, 'automation_runs.outcomes', number) WHERE number = ?",
                    arguments: [outcomes, run])
            }
        }
        return runs.count
    }

    /// - Returns: nil where nobody is named.
    private func unnamed(_ outcomes: String) throws -> String? {
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

    /// What machines saw: a camera's program that knows faces, or whoever puts pictures into words.
    private func forgetEvents() async throws -> Int {
        let ids = try await store.read { [names] in try EventRecords.told(of: names, $0) }
        try await each(ids) { part, db in try EventRecords.unsay(part, in: db) }
        return ids.count
    }

    /// In small commits, that no door waits for.
    private func each<Found: Sendable>(_ all: [Found], _ body: @escaping @Sendable ([Found], Database) throws -> Void) async throws {
        for start in stride(from: 0, to: all.count, by: Self.batch) {
            try Task.checkCancellation()
            let part = Array(all[start..<min(start + Self.batch, all.count)])
            try await store.write { try body(part, $0) }
        }
    }
}
