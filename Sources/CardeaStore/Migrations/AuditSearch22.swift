/// Further search keys of the audit log: action and time.
enum AuditSearch22 {
    static let marks = """
        -- A keyed hash of what was done, as of the device. Entries from before have none until the hub has opened them once.
        ALTER TABLE audit ADD COLUMN action INTEGER;
        CREATE INDEX audit_without_action ON audit (seq) WHERE action IS NULL;
        -- It grows at its end.
        CREATE INDEX audit_by_time ON audit (at);

        DROP TRIGGER audit_is_append_only;
        CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit
        WHEN OLD.action IS NOT NULL OR NEW.action IS NULL OR NEW.seq <> OLD.seq OR NEW.version <> OLD.version OR NEW.at <> OLD.at
            OR NEW.event_key <> OLD.event_key OR NEW.event <> OLD.event OR NEW.actor <> OLD.actor
            OR NEW.actor_sealed <> OLD.actor_sealed OR NEW.subject IS NOT OLD.subject OR NEW.subject_sealed IS NOT OLD.subject_sealed
            OR NEW.hash <> OLD.hash OR NEW.device IS NOT OLD.device OR NEW.result <> OLD.result OR NEW.command IS NOT OLD.command
        BEGIN SELECT RAISE(ABORT, 'the audit trail is not rewritten'); END;
        """
}
