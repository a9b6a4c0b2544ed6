/// Past decisions are explained by the rules of that time, which are read from the journal.
enum RuleHistoryIndex30 {
    static let indexes = """
        -- Among all that devices said, the few rows that tell of a role, a flag or a pass.
        CREATE INDEX journal_of_rules ON journal (at) WHERE kind IN ('device_changed', 'guest_changed', 'person_changed');
        """
}
