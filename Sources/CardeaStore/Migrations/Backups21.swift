/// The state of the backups, and the work that is left after a restore.
enum Backups21 {
    static let backups = """
        CREATE TABLE backups (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            -- The public half of the recovery key; whoever holds the other half opens every backup that was sealed to it.
            recovery_key BLOB CHECK (recovery_key IS NULL OR length(recovery_key) = 32),
            -- The last one that was whole when it was looked at.
            good_at INTEGER,
            good_bytes INTEGER CHECK (good_bytes IS NULL OR good_bytes > 0),
            -- The last one that came to nothing, and why.
            failed_at INTEGER,
            failure TEXT,
            -- When the house was put back last, and from when that backup was.
            restored_at INTEGER,
            restored_from INTEGER,
            CHECK ((good_at IS NULL) = (good_bytes IS NULL)),
            CHECK ((failed_at IS NULL) = (failure IS NULL)),
            CHECK ((restored_at IS NULL) = (restored_from IS NULL))
        ) STRICT;
        INSERT INTO backups (only) VALUES (1);
        """

    static let tags = """
        -- The house was put back: how often the tag has been touched since then, only the tag knows.
        ALTER TABLE tags ADD COLUMN unsynced_at INTEGER CHECK (unsynced_at IS NULL OR kind = 'sun');
        """
}
