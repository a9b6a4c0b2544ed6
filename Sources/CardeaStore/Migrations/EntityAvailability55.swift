/// The certainty of the state of each entity.
enum EntityAvailability55 {
    static let reach = """
        -- Whether `state` was reported since its device was last lost, and when it was reported last.
        ALTER TABLE entities ADD COLUMN is_current INTEGER NOT NULL DEFAULT 0 CHECK (is_current IN (0, 1));
        ALTER TABLE entities ADD COLUMN reported_at INTEGER;
        -- Its device reports no state: how it stands is at best what was last asked of it.
        ALTER TABLE entities ADD COLUMN is_assumed INTEGER NOT NULL DEFAULT 0 CHECK (is_assumed IN (0, 1));
        -- What was kept until now was reported by the time that its device changed last.
        UPDATE entities SET is_current = 1,
            reported_at = (SELECT coalesce(last_seen_at, state_changed_at) FROM devices WHERE id = entities.device_id)
        WHERE state NOT IN ('unknown', 'unavailable');

        -- One row for all devices that were lost or found with a connection; few, and looked for by number.
        CREATE INDEX journal_reach ON journal (seq) WHERE kind = 'reach_changed';
        """
}
