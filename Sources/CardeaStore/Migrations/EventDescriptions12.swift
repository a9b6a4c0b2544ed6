/// Descriptions of events by an author other than the source.
enum EventDescriptions12 {
    static let descriptions = """
        -- Who put it into words; NULL: whoever told of it.
        ALTER TABLE events ADD COLUMN described_by TEXT CHECK (described_by <> '');

        -- What a source told stays as before. Words come once, where there were none, and with the name of who found them.
        DROP TRIGGER event_stays;
        CREATE TRIGGER event_stays BEFORE UPDATE OF
            key, id, source, camera_id, place, camera_name, type, confidence, incident_id, created_at ON events
        BEGIN SELECT RAISE(ABORT, 'what was seen stays as it was told'); END;
        CREATE TRIGGER description_comes_once BEFORE UPDATE OF description, described_by ON events
        WHEN old.description <> '' OR old.described_by IS NOT NULL OR new.description = '' OR new.described_by IS NULL
        BEGIN SELECT RAISE(ABORT, 'words come once, where a source found none'); END;
        """
}
