/// The next number of the journal was kept in a table of SQLite's own, which is a page of the log in each commit. Its last row tells it as well.
enum JournalSequence44 {
    static let journal = """
        CREATE TABLE journal_44 (
            -- One more than the last one's, which stays when all others are dropped.
            seq INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            device_id TEXT,
            subject TEXT,
            data TEXT NOT NULL
        ) STRICT;
        INSERT INTO journal_44 SELECT seq, at, kind, device_id, subject, data FROM journal;
        -- A number that was given and of which there is no row any more is not given again.
        INSERT INTO journal_44 (seq, at, kind, data)
            SELECT seq, unixepoch() * 1000, 'house_changed', '{}' FROM sqlite_sequence
            WHERE name = 'journal' AND seq > coalesce((SELECT max(seq) FROM journal), 0);
        DROP TABLE journal;
        ALTER TABLE journal_44 RENAME TO journal;
        CREATE INDEX journal_of_rules ON journal (at) WHERE kind IN ('device_changed', 'guest_changed', 'person_changed');
        CREATE TRIGGER journal_is_append_only BEFORE UPDATE OF seq, at, kind ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is not rewritten'); END;
        CREATE TRIGGER journal_keeps_its_last BEFORE DELETE ON journal WHEN OLD.seq = (SELECT max(seq) FROM journal)
        BEGIN SELECT RAISE(ABORT, 'the journal keeps its last row'); END;
        """
}
