import CardeaModel

/// A table of the house: what it is for, whose its rows are, until when they are kept, and what each of its columns is.
///
/// Every table and column has its place here, or the tests fail. What a person takes away is read by it, and what is kept no longer is
/// forgotten by it, so that what is said of a table and what is done with it cannot drift apart.
public struct TableRetentionPolicy: Sendable {
    public let table: String
    public let purpose: Purpose
    public let ownership: Ownership
    public let retention: RetentionRule
    public let erasure: ErasureRule
    /// Columns that are shown to whose they are.
    public let readableColumns: [String]
    /// Columns that are shown to nobody: keys, hashes, and what is sealed.
    public let secretColumns: [String]
    /// Facts that tell of people in words: sealed where they lie (`SealingFunctions`).
    public let sealedColumns: [String]
    /// The column by which a sealed one knows its row.
    public let sealingIDColumn: String
    /// By which a row is named in SQL.
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

    /// Why the house holds it.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// Who somebody is in the house, and how they want to see it.
        case account
        /// That nobody else comes in under their name.
        case signIn = "sign_in"
        /// Who was let in by whom.
        case passes
        /// What was asked of doors and devices, so that it is done once and can be told.
        case commands
        /// What happened, so that every screen shows it.
        case activity
        /// The proof of what happened at the door.
        case audit
        /// Who was at the door.
        case events
        /// Telling people of what they want to be told.
        case notices
        /// Answering from what the house has seen, and from what it was told.
        case mind
        /// What the house does by itself.
        case automations
        /// How much was used, and how warm it was.
        case readings
        /// What is to be done in the house, and what was done.
        case maintenance
        /// What there is in the house, and how it is reached.
        case house
        /// Buttons and tags.
        case tags
        /// That guessing does not pay, and that nothing is done twice.
        case safety
        /// What the house must know to keep, take out and erase all this.
        case privacy
    }

    /// Whose the rows are.
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
        /// The column names a row of another table, and the row is whose that one is.
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

    /// Which rows are a person's, as a condition in which `:id` is their id; nil where none are anybody's.
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

    /// Which rows are a guest's, as a condition in which `:id` is the pass's id; nil where none are any guest's.
    public var guestCondition: String? {
        switch ownership {
        // By what they asked and guessed, and where they are named, a guest is known as a resident is.
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
        /// Until somebody takes it out, or for as long as the house is there.
        case untilRemoved
        /// For so many days from the moment that `:border` is held against: rows for which `when` is true are forgotten.
        case days(RetentionKind, when: String)
        /// For so many days; what looks after it has its own way of forgetting.
        case managedByOwner([RetentionKind])
        /// For as long as the row that it belongs to.
        case withRow
        /// For hours at most: it is of use for a moment only.
        case shortLived
    }

    /// What becomes of a person's rows when they are erased.
    public enum ErasureRule: Hashable, Sendable {
        case deleted
        /// The row says that something was done, and no longer by whom.
        case blanked(String)
        /// It is nobody's, or it is seen to by what keeps it.
        case unchanged
    }
}
