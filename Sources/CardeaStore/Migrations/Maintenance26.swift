/// Maintenance tasks and their completions (Seed 001).
enum Maintenance26 {
    static let tasks = """
        CREATE TABLE maintenance_tasks (
            id TEXT NOT NULL PRIMARY KEY CHECK (instr(id, ':') = 0),
            title TEXT NOT NULL CHECK (title <> ''),
            category TEXT NOT NULL,
            priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
            recurrence TEXT CHECK (recurrence IS NULL OR due_on IS NOT NULL),
            -- The day from which the series is counted, and the one on which it is due: days of the calendar, by the house's clock.
            starts_on TEXT CHECK (date(starts_on) IS starts_on AND (starts_on IS NULL) = (due_on IS NULL)),
            due_on TEXT CHECK (date(due_on) IS due_on AND (due_on IS NULL OR due_on >= starts_on)),
            device_id TEXT REFERENCES devices (id) ON DELETE SET NULL,
            room_id TEXT REFERENCES rooms (id) ON DELETE SET NULL,
            notes TEXT,
            is_predictive INTEGER NOT NULL CHECK (is_predictive IN (0, 1)),
            -- The day for which the household was told that it has come.
            told_on TEXT CHECK (date(told_on) IS told_on),
            -- What is done once and for all is due no more.
            done_at INTEGER CHECK (done_at IS NULL OR due_on IS NULL),
            version INTEGER NOT NULL CHECK (version > 0),
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX maintenance_by_due ON maintenance_tasks (due_on) WHERE due_on IS NOT NULL;
        CREATE INDEX maintenance_by_device ON maintenance_tasks (device_id) WHERE device_id IS NOT NULL;
        CREATE INDEX maintenance_by_room ON maintenance_tasks (room_id) WHERE room_id IS NOT NULL;
        """

    static let history = """
        CREATE TABLE maintenance_history (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            task_id TEXT NOT NULL REFERENCES maintenance_tasks (id) ON DELETE CASCADE,
            due_on TEXT CHECK (date(due_on) IS due_on),
            completed_at INTEGER NOT NULL,
            -- NULL where they were erased, or the house did it: what was done stays.
            completed_by TEXT,
            -- In the smallest unit of the currency.
            cost_minor INTEGER CHECK (cost_minor BETWEEN 0 AND 1000000000000),
            currency TEXT CHECK (currency GLOB '[A-Z][A-Z][A-Z]' AND (currency IS NULL) = (cost_minor IS NULL)),
            notes TEXT,
            service_provider TEXT
        ) STRICT;
        CREATE INDEX maintenance_history_by_task ON maintenance_history (task_id, completed_at, number);
        CREATE INDEX maintenance_history_by_age ON maintenance_history (completed_at);
        CREATE TRIGGER what_was_done_stays BEFORE UPDATE ON maintenance_history
        WHEN NEW.completed_by IS NOT NULL OR NEW.task_id <> OLD.task_id OR NEW.completed_at <> OLD.completed_at
            OR NEW.cost_minor IS NOT OLD.cost_minor OR NEW.currency IS NOT OLD.currency OR NEW.due_on IS NOT OLD.due_on
            OR NEW.notes IS NOT OLD.notes OR NEW.service_provider IS NOT OLD.service_provider
        BEGIN SELECT RAISE(ABORT, 'what was done was done'); END;
        """

    static let notices = """
        -- Whoever chose what to be told of chose before there was anything to be done.
        UPDATE notice_preferences SET kinds = trim(kinds || ' maintenance') WHERE instr(' ' || kinds || ' ', ' maintenance ') = 0;
        """
}
