/// The mind's events and its own data.
enum Mind15 {
    static let happenings = """
        CREATE TABLE happenings (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('state', 'asked', 'seen', 'presence', 'standing')),
            device_id TEXT,
            entity_id TEXT,
            actor TEXT,
            -- The state, the verb, what was seen, home or away, how the device stands.
            value TEXT NOT NULL,
            -- What came of it, where something was asked for.
            status TEXT CHECK ((status IS NOT NULL) = (kind = 'asked')),
            -- Why it was refused; what was seen, in words.
            words TEXT,
            -- By what the mind knows that it has it already: the command, the row of the journal or of the trail, the line that was read in.
            source TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE INDEX happenings_by_time ON happenings (at);
        CREATE INDEX happenings_by_device ON happenings (device_id, at) WHERE device_id IS NOT NULL;
        CREATE INDEX happenings_by_actor ON happenings (actor, at) WHERE actor IS NOT NULL;
        CREATE INDEX happenings_by_entity ON happenings (entity_id, at) WHERE entity_id IS NOT NULL;
        """

    static let mind = """
        -- The mind's own sheets: how far it has read, what it has learned, how it feels.
        CREATE TABLE mind_sheets (
            name TEXT PRIMARY KEY,
            content TEXT NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
