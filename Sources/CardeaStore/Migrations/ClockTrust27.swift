/// The trust in the hub's clock.
enum ClockTrust27 {
    static let mark = """
        CREATE TABLE clock (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            sure_at INTEGER NOT NULL,
            looked_at INTEGER NOT NULL,
            leapt_at INTEGER
        ) STRICT;
        """

    /// Keys destroyed and segments dropped before the audit log recorded such things. The next start records them; the table is empty from
    /// then on.
    static let gone = """
        CREATE TABLE audit_gone (
            name TEXT PRIMARY KEY,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO audit_gone SELECT 'audit_key:' || id, destroyed_at FROM audit_keys WHERE destroyed_at IS NOT NULL;
        INSERT INTO audit_gone SELECT 'audit_segment:' || number, dropped_at FROM audit_segments WHERE dropped_at IS NOT NULL
            ORDER BY number DESC LIMIT 1;
        """
}
