/// Interviews about new devices.
enum Interviews17 {
    static let interviews = """
        CREATE TABLE interviews (
            id TEXT PRIMARY KEY,
            person_id TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'completed', 'cancelled')),
            phase TEXT NOT NULL
                CHECK (phase IN ('introduction', 'discovery', 'classification', 'configuration', 'twin_creation', 'completed')),
            -- Devices that were spoken of, and those of them that were confirmed.
            mentioned INTEGER NOT NULL CHECK (mentioned >= 0),
            confirmed INTEGER NOT NULL CHECK (confirmed BETWEEN 0 AND mentioned),
            -- Rises with every change, so that of two who speak at once the later one is told.
            version INTEGER NOT NULL CHECK (version >= 1),
            -- All of it, as the mind keeps it.
            content TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL CHECK (changed_at >= started_at)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX interviews_by_person ON interviews (person_id, changed_at);
        -- One at a time for each person.
        CREATE UNIQUE INDEX interviews_open ON interviews (person_id) WHERE status IN ('active', 'paused');
        """
}
