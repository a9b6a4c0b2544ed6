/// The proofs of the audit log: signed roots of the tree over its entries, and the hashes kept of entries that were dropped after their
/// time.
enum AuditProofs20 {
    static let proofs = """
        -- The house's own Ed25519 key, sealed by the house's key.
        CREATE TABLE audit_signer (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            key BLOB NOT NULL,
            -- As others know it.
            public BLOB NOT NULL CHECK (length(public) = 32)
        ) STRICT;

        -- Whole segments of 256 entries: segment n ends with entry (n + 1) * 256.
        CREATE TABLE audit_segments (
            number INTEGER PRIMARY KEY CHECK (number >= 0),
            -- The root of its part of the tree.
            root BLOB NOT NULL CHECK (length(root) = 32),
            -- The chain after its last entry.
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            last_at INTEGER NOT NULL,
            -- Its entries were dropped, their time being over.
            dropped_at INTEGER
        ) STRICT;
        CREATE TRIGGER audit_segments_follow BEFORE INSERT ON audit_segments
        WHEN NEW.number <> (SELECT coalesce(max(number) + 1, 0) FROM audit_segments)
        BEGIN SELECT RAISE(ABORT, 'segments of the audit trail follow one another'); END;
        CREATE TRIGGER audit_segments_stay BEFORE DELETE ON audit_segments
        BEGIN SELECT RAISE(ABORT, 'a segment of the audit trail is kept'); END;
        CREATE TRIGGER audit_segments_are_dropped_in_order BEFORE UPDATE ON audit_segments
        WHEN NEW.number <> OLD.number OR NEW.root <> OLD.root OR NEW.hash <> OLD.hash OR NEW.last_at <> OLD.last_at
            OR OLD.dropped_at IS NOT NULL OR NEW.dropped_at IS NULL
            OR EXISTS (SELECT 1 FROM audit_segments WHERE number < OLD.number AND dropped_at IS NULL)
            OR NOT EXISTS (SELECT 1 FROM audit_checkpoints WHERE size >= (OLD.number + 1) * 256)
        BEGIN SELECT RAISE(ABORT, 'a segment of the audit trail is dropped once, in order, and after it was signed'); END;

        CREATE TABLE audit_checkpoints (
            -- How many entries it covers.
            size INTEGER PRIMARY KEY CHECK (size > 0),
            at INTEGER NOT NULL,
            root BLOB NOT NULL CHECK (length(root) = 32),
            signature BLOB NOT NULL CHECK (length(signature) = 64)
        ) STRICT;
        CREATE TRIGGER audit_checkpoints_stay BEFORE UPDATE ON audit_checkpoints
        BEGIN SELECT RAISE(ABORT, 'what was signed stays'); END;
        CREATE TRIGGER audit_checkpoints_are_kept BEFORE DELETE ON audit_checkpoints
        WHEN OLD.size % 256 = 0 OR NOT EXISTS (SELECT 1 FROM audit_checkpoints WHERE size > OLD.size)
        BEGIN SELECT RAISE(ABORT, 'what was signed of whole segments, and last, is kept'); END;

        DROP TRIGGER audit_is_kept;
        CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
        WHEN NOT EXISTS (SELECT 1 FROM audit_segments WHERE number = (OLD.seq - 1) / 256 AND dropped_at IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, 'the audit trail is shortened by whole segments alone'); END;
        """
}
