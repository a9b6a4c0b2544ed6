/// The audit log sealed and chained, and the keys it is sealed with.
enum AuditLog4 {
    /// Entries that older hubs wrote in the clear. The hub moves them into the chain before it serves requests, and drops the table.
    static let plain = """
        DROP INDEX audit_by_who;
        DROP INDEX audit_by_grant;
        DROP INDEX audit_by_command;
        ALTER TABLE audit RENAME TO audit_plain;
        """

    static let keys = """
        CREATE TABLE audit_keys (
            -- Random. In the entries it stands for whom the key belongs to, and is a pseudonym once the key is destroyed.
            id INTEGER PRIMARY KEY CHECK (id > 0),
            purpose TEXT NOT NULL CHECK (purpose IN ('index', 'house', 'subject')),
            -- A keyed hash of whom it belongs to.
            subject BLOB,
            -- The key, sealed by the house's key.
            wrapped BLOB,
            created_at INTEGER NOT NULL,
            -- Another one is used for what is new; this one still opens what is old.
            retired_at INTEGER,
            destroyed_at INTEGER,
            CHECK ((wrapped IS NULL) = (destroyed_at IS NOT NULL)),
            CHECK ((subject IS NOT NULL) = (purpose = 'subject' AND destroyed_at IS NULL))
        ) STRICT;
        CREATE UNIQUE INDEX one_living_audit_key ON audit_keys (purpose, coalesce(subject, x''))
            WHERE retired_at IS NULL AND destroyed_at IS NULL;
        CREATE INDEX audit_keys_by_subject ON audit_keys (subject) WHERE subject IS NOT NULL;
        CREATE TRIGGER destroyed_audit_key_stays BEFORE UPDATE ON audit_keys
        WHEN OLD.destroyed_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'a destroyed key stays destroyed'); END;
        CREATE TRIGGER audit_keys_stay BEFORE DELETE ON audit_keys
        BEGIN SELECT RAISE(ABORT, 'a key of the audit trail is destroyed, not deleted'); END;
        """

    static let entries = """
        CREATE TABLE audit (
            seq INTEGER PRIMARY KEY CHECK (seq > 0),
            version INTEGER NOT NULL CHECK (version > 0),
            at INTEGER NOT NULL,
            event_key INTEGER NOT NULL,
            event BLOB NOT NULL,
            actor INTEGER NOT NULL,
            actor_sealed BLOB NOT NULL,
            subject INTEGER,
            subject_sealed BLOB,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            -- Keyed hashes, by which entries are found; they are made anew from the entries and prove nothing.
            device INTEGER,
            result INTEGER NOT NULL,
            command INTEGER,
            CHECK ((subject IS NULL) = (subject_sealed IS NULL))
        ) STRICT;
        CREATE INDEX audit_by_actor ON audit (actor, seq);
        CREATE INDEX audit_by_subject ON audit (subject, seq) WHERE subject IS NOT NULL;
        -- None by device: each door of a busy house would have a page of its own written with every commit. Its mark is compared while
        -- the entries are read from the newest on.
        CREATE INDEX audit_by_result ON audit (result, seq);
        CREATE INDEX audit_of_command ON audit (command, seq) WHERE command IS NOT NULL;
        CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit trail is not rewritten'); END;
        CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit trail is not shortened'); END;
        """
}
