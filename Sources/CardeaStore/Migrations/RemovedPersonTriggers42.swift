/// Automations lose the triggers that wait for a person who left the house; one that has none left is switched off, with that reason.
enum RemovedPersonTriggers42 {
    /// The reasons for which the hub switches one off are a constraint, which SQLite changes only with its table.
    static let automations = """
        CREATE TABLE automations_42 (
            id TEXT NOT NULL PRIMARY KEY CHECK (instr(id, ':') = 0),
            name TEXT NOT NULL,
            -- Who answers for it: it may do what they may.
            owner TEXT NOT NULL REFERENCES people (id),
            is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
            triggers TEXT NOT NULL,
            conditions TEXT NOT NULL,
            actions TEXT NOT NULL,
            -- Why the house itself switched it off.
            off_because TEXT CHECK (off_because IS NULL OR (is_on = 0 AND off_because IN ('owner_left', 'person_left'))),
            version INTEGER NOT NULL CHECK (version > 0),
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        INSERT INTO automations_42 (id, name, owner, is_on, triggers, conditions, actions, off_because, version, created_at, changed_at)
        SELECT id, name, owner, is_on, triggers, conditions, actions, off_because, version, created_at, changed_at FROM automations;
        DROP TABLE automations;
        ALTER TABLE automations_42 RENAME TO automations;
        """
}
