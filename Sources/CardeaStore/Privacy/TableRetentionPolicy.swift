import CardeaModel

/// A table of the house: its purpose, the owner of its rows, their retention, and the meaning of each column.
///
/// Every table and column must be listed here, or the tests fail. Exports and deletion read this list, so the description of a table and
/// its treatment cannot drift apart.
public struct TableRetentionPolicy: Sendable {
    public let table: String
    public let purpose: Purpose
    public let ownership: Ownership
    public let retention: RetentionRule
    public let erasure: ErasureRule
    /// Columns that are shown to the person they belong to.
    public let readableColumns: [String]
    /// Columns that are never shown: keys, hashes, and sealed data.
    public let secretColumns: [String]
    /// Columns with texts about people: sealed in place (`SealingFunctions`).
    public let sealedColumns: [String]
    /// The column by which a sealed one knows its row.
    public let sealingIDColumn: String
    /// The SQL expression that identifies a row.
    public let rowIDExpression: String

    init(
        _ table: String, _ purpose: Purpose, _ whose: Ownership, _ kept: RetentionRule, erased: ErasureRule? = nil, facts: String,
        personal: String = "",
        name: String = "id", secrets: String = "", key: String = "rowid"
    ) {
        self.table = table
        self.rowIDExpression = key
        self.purpose = purpose
        self.ownership = whose
        self.retention = kept
        self.erasure = erased ?? (whose.isPersonal ? .deleted : .unchanged)
        self.readableColumns = facts.split(separator: " ").map(String.init)
        self.sealedColumns = personal.split(separator: " ").map(String.init)
        self.sealingIDColumn = name
        self.secretColumns = secrets.split(separator: " ").map(String.init)
    }

    /// The facts as SQL reads them, in their order.
    public var selectList: String {
        readableColumns.map { sealedColumns.contains($0) ? "\(opened($0)) AS \($0)" : $0 }.joined(separator: ", ")
    }

    private func opened(_ column: String) -> String { "opened(\(column), '\(table).\(column)', \(sealingIDColumn))" }

    /// The reason why the house holds it.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// A person's identity in the house, and their view of it.
        case account
        /// Proof of identity, so that no other person signs in under their name.
        case signIn = "sign_in"
        /// Guests' passes, and the people who gave them.
        case passes
        /// Commands to doors and devices, so that each is done once and can be reported.
        case commands
        /// Events, for every screen.
        case activity
        /// The proof of events at the door.
        case audit
        /// Events at the door, with their visitors.
        case events
        /// Notifications that people want.
        case notices
        /// Answers from what the house has observed and from what people told it.
        case mind
        /// The automations of the house.
        case automations
        /// Consumption and temperatures.
        case readings
        /// Maintenance tasks and their completions.
        case maintenance
        /// The house's equipment, and how it is reached.
        case house
        /// Buttons and tags.
        case tags
        /// Limits on guessing, and protection against duplicates.
        case safety
        /// Data that is needed to retain, export and erase all the others.
        case privacy
    }

    /// The owner of the rows.
    public enum Ownership: Hashable, Sendable {
        case household
        /// The column holds a person's id.
        case person(String)
        /// The column holds `person:{id}`.
        case personKey(String)
        /// The column holds who asked: a person, or what acts for one, as `token:{id}:{person}` does.
        case principal(String)
        /// The column holds by whom a wrong guess is counted: a person's id, who asked, or the mark of the name that they sign in with,
        /// alone or with that of an address behind it.
        case guesser(String)
        /// The column names a row of another table, and the row belongs to that row's owner.
        case row(of: String, by: String)
        /// The columns may name a person: they are their id, or JSON that holds it; not in the rows for which the condition is true.
        case mentioned([String], except: String)
        /// Sealed by the keys of whom it is about.
        case sealed

        public var isPersonal: Bool {
            switch self {
            case .household, .sealed: false
            case .person, .personKey, .principal, .guesser, .row, .mentioned: true
            }
        }
    }

    /// The SQL condition for a person's rows, in which `:id` is their id; nil if no row belongs to a person.
    public var condition: String? {
        switch ownership {
        case .household, .sealed: nil
        case .person(let column): "\(column) = :id"
        case .personKey(let column): "\(column) = 'person:' || :id"
        case .principal(let column): "substr(\(column), -length(:id) - 1) = ':' || :id"
        case .guesser(let column):
            """
            \(column) = :id OR substr(\(column), -length(:id) - 1) = ':' || :id
                OR scope = 'account' AND \(column) = (SELECT lower(hex(username_mark)) FROM people WHERE id = :id)
                OR scope = 'account_address' AND instr(\(column), (SELECT lower(hex(username_mark)) || '@' FROM people WHERE id = :id)) = 1
            """
        case .mentioned(let columns, let exception):
            "NOT (\(exception)) AND (\(columns.map(mentions).joined(separator: " OR ")))"
        case .row(let table, let column):
            DataInventory.policy(table).flatMap { other in
                other.condition.map {
                    "\(column) IN (SELECT \(column == "rowid" ? other.rowIDExpression : "id") FROM \(table) WHERE \($0))"
                }
            }
        }
    }

    /// The condition for the rows of a guest, in which `:id` is the pass's id; nil if none are any guest's.
    public var guestCondition: String? {
        switch ownership {
        // For their requests, guesses and mentions, a guest is identified like a resident.
        case .principal, .guesser, .mentioned: condition
        case .row(of: "guests", by: let column): "\(column) = :id"
        case .person: table == "guests" ? "id = :id" : nil
        case .household, .personKey, .row, .sealed: nil
        }
    }

    private func mentions(_ column: String) -> String {
        let text = "coalesce(\(sealedColumns.contains(column) ? opened(column) : column), '')"
        return "\(text) = :id OR instr(\(text), :id || '\"') > 0"
    }

    /// Until when a row is kept.
    public enum RetentionRule: Hashable, Sendable {
        /// Until a person deletes it, or for as long as the house exists.
        case untilRemoved
        /// For that many days from the moment that is compared with `:border`: rows for which `when` is true are deleted.
        case days(RetentionKind, when: String)
        /// For so many days; its owner has its own way of deleting.
        case managedByOwner([RetentionKind])
        /// For as long as the row that it belongs to.
        case withRow
        /// For hours at most: it is of use for a moment only.
        case shortLived
    }

    /// The treatment of a person's rows when they are erased.
    public enum ErasureRule: Hashable, Sendable {
        case deleted
        /// The row records an action, and no longer the person.
        case blanked(String)
        /// The row belongs to no person, or the code that keeps it erases it.
        case unchanged
    }
}
