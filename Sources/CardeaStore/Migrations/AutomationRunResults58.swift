/// An automation does not run while it is unknown whether its conditions hold, and the run names what was unknown.
enum AutomationRunResults58 {
    /// The results of a run are a constraint, which SQLite changes only with its table.
    static let runs = """
        CREATE TABLE automation_runs_59 (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            automation_id TEXT NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            trigger_place INTEGER CHECK (trigger_place BETWEEN 0 AND 7),
            -- What set it going, as the mind remembers it.
            happening TEXT,
            result TEXT NOT NULL CHECK (result IN ('ran', 'loop', 'too_often', 'late', 'tried', 'not_known')),
            is_dry INTEGER NOT NULL CHECK (is_dry = (result = 'tried')),
            -- What each of its actions came to.
            outcomes TEXT NOT NULL,
            -- The ids of the entities whose word its conditions waited for.
            unknown TEXT NOT NULL DEFAULT '[]'
        ) STRICT;
        INSERT INTO automation_runs_59 (number, automation_id, at, trigger_place, happening, result, is_dry, outcomes)
            SELECT number, automation_id, at, trigger_place, happening, result, is_dry, outcomes FROM automation_runs;
        -- A number that was given is not given again: what was told of a run goes by it.
        DELETE FROM sqlite_sequence WHERE name = 'automation_runs_59';
        INSERT INTO sqlite_sequence (name, seq)
            SELECT 'automation_runs_59', seq FROM sqlite_sequence WHERE name = 'automation_runs';
        DROP TABLE automation_runs;
        ALTER TABLE automation_runs_59 RENAME TO automation_runs;
        CREATE INDEX automation_runs_by_automation ON automation_runs (automation_id, number);
        CREATE INDEX automation_runs_by_age ON automation_runs (at);
        """
}
