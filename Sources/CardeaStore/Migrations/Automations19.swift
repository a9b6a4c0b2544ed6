/// Automations, their runs, and people's presence.
enum Automations19 {
    static let automations = """
        CREATE TABLE automations (
            id TEXT NOT NULL PRIMARY KEY CHECK (instr(id, ':') = 0),
            name TEXT NOT NULL,
            -- Who answers for it: it may do what they may.
            owner TEXT NOT NULL REFERENCES people (id),
            is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
            triggers TEXT NOT NULL,
            conditions TEXT NOT NULL,
            actions TEXT NOT NULL,
            -- Why the house itself switched it off.
            off_because TEXT CHECK (off_because IS NULL OR (is_on = 0 AND off_because IN ('owner_left'))),
            version INTEGER NOT NULL CHECK (version > 0),
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE automation_runs (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            automation_id TEXT NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            trigger_place INTEGER CHECK (trigger_place BETWEEN 0 AND 7),
            -- What set it going, as the mind remembers it.
            happening TEXT,
            result TEXT NOT NULL CHECK (result IN ('ran', 'loop', 'too_often', 'late', 'tried')),
            is_dry INTEGER NOT NULL CHECK (is_dry = (result = 'tried')),
            -- What each of its actions came to.
            outcomes TEXT NOT NULL
        ) STRICT;
        CREATE INDEX automation_runs_by_automation ON automation_runs (automation_id, number);
        CREATE INDEX automation_runs_by_age ON automation_runs (at);
        """

    static let presence = """
        -- What people say of themselves; nobody is known to be anywhere before they say it.
        ALTER TABLE people ADD COLUMN is_home INTEGER CHECK (is_home IN (0, 1));
        ALTER TABLE people ADD COLUMN presence_at INTEGER CHECK ((presence_at IS NULL) = (is_home IS NULL));
        """

    static let notices = """
        -- Whoever chose what to be told of chose before an automation could tell them anything.
        UPDATE notice_preferences SET kinds = trim(kinds || ' automation') WHERE instr(' ' || kinds || ' ', ' automation ') = 0;
        """
}
