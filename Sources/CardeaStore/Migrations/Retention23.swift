/// Retention times, and the results of the sweeps.
enum Retention23 {
    static let retention = """
        CREATE TABLE retention (
            kind TEXT PRIMARY KEY CHECK (kind <> ''),
            -- What the owner has chosen; NULL where nobody has.
            days INTEGER CHECK (days > 0),
            -- When it was last seen to, and how many rows have been forgotten since the house is there.
            swept_at INTEGER,
            dropped INTEGER NOT NULL DEFAULT 0 CHECK (dropped >= 0)
        ) STRICT, WITHOUT ROWID;
        """

    /// Retention for the journal. The removal of a room is remembered for as long as its integration may name it again.
    static let rooms = """
        CREATE TABLE removed_rooms (
            id TEXT PRIMARY KEY,
            removed_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT OR IGNORE INTO removed_rooms (id, removed_at)
            SELECT subject, at FROM journal WHERE kind = 'room_changed' AND subject IS NOT NULL AND json_extract(data, '$.removed');
        DROP INDEX journal_of_rooms;
        """
}
