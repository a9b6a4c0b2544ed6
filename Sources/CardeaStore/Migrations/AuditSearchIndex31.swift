/// The search index of the audit log, apart from the entries, so that no door command waits for it.
enum AuditSearchIndex31 {
    static let index = """
        DROP INDEX audit_by_actor;
        DROP INDEX audit_by_subject;
        DROP INDEX audit_by_result;
        DROP INDEX audit_of_command;
        DROP INDEX audit_by_time;
        -- Of each entry what it is found by. They are listed here some dozens at once, a while after they were written; those after the last
        -- one here are read through.
        CREATE TABLE audit_index (
            seq INTEGER PRIMARY KEY REFERENCES audit (seq) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            actor INTEGER NOT NULL,
            subject INTEGER,
            device INTEGER,
            result INTEGER NOT NULL,
            command INTEGER,
            action INTEGER
        ) STRICT;
        CREATE INDEX audit_by_actor ON audit_index (actor);
        CREATE INDEX audit_by_subject ON audit_index (subject) WHERE subject IS NOT NULL;
        CREATE INDEX audit_by_result ON audit_index (result);
        CREATE INDEX audit_of_command ON audit_index (command) WHERE command IS NOT NULL;
        -- None by time, nor by device: a million rows of this table are looked through in some thirty milliseconds.
        """
}
