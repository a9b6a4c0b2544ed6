/// Events at the door in order of time, the incidents they belong to, and an index of their words.
enum Events9 {
    static let incidents = """
        CREATE TABLE incidents (
            id TEXT NOT NULL PRIMARY KEY,
            place TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            ended_at INTEGER NOT NULL CHECK (ended_at >= started_at),
            has_person INTEGER NOT NULL CHECK (has_person IN (0, 1)),
            has_ring INTEGER NOT NULL CHECK (has_ring IN (0, 1))
        ) STRICT;
        CREATE INDEX incidents_by_place ON incidents (place, ended_at);
        CREATE INDEX incidents_at_the_door ON incidents (ended_at) WHERE has_person = 1 OR has_ring = 1;
        CREATE INDEX incidents_by_start ON incidents (started_at);
        """

    static let events = """
        CREATE TABLE events (
            -- The moment in milliseconds, and below 20 bits that number the events of that millisecond: the table itself is in order of
            -- time, every index ends with it, and so do the words' lists.
            key INTEGER PRIMARY KEY CHECK (key >= 0),
            id TEXT NOT NULL UNIQUE,
            source TEXT NOT NULL,
            -- Of no table of ours: a camera that goes leaves its events.
            camera_id TEXT,
            place TEXT NOT NULL CHECK (place = coalesce(camera_id, source)),
            camera_name TEXT NOT NULL,
            type TEXT NOT NULL,
            confidence INTEGER CHECK (confidence BETWEEN 0 AND 100),
            description TEXT NOT NULL,
            incident_id TEXT NOT NULL REFERENCES incidents (id),
            -- The key of this event's pictures, sealed by the house's: without it what is left of a file is nothing.
            picture_key BLOB,
            picture_bytes INTEGER NOT NULL DEFAULT 0 CHECK ((picture_key IS NULL) = (picture_bytes = 0) AND picture_bytes >= 0),
            recorded_by TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX events_by_place ON events (place);
        CREATE INDEX events_by_type ON events (type);
        CREATE INDEX events_by_place_and_type ON events (place, type);
        CREATE INDEX events_by_incident ON events (incident_id);
        CREATE INDEX events_with_pictures ON events (key) WHERE picture_key IS NOT NULL;

        -- How many there are, by days of UTC: a list says its total without walking a million rows.
        CREATE TABLE event_days (
            day INTEGER NOT NULL,
            place TEXT NOT NULL,
            type TEXT NOT NULL,
            events INTEGER NOT NULL CHECK (events > 0),
            picture_bytes INTEGER NOT NULL CHECK (picture_bytes >= 0),
            PRIMARY KEY (day, place, type)
        ) STRICT, WITHOUT ROWID;

        -- Kept by whoever writes events: with trusted_schema off no trigger may touch a virtual table.
        CREATE VIRTUAL TABLE event_words USING fts5 (
            description, type, camera_name, place, content = 'events', content_rowid = 'key',
            tokenize = 'porter unicode61 remove_diacritics 2');
        """

    /// 90596966400000 is a day in keys: 86 400 000 ms of 2^20.
    static let upkeep = """
        CREATE TRIGGER event_comes AFTER INSERT ON events
        BEGIN
            INSERT INTO event_days (day, place, type, events, picture_bytes)
            VALUES (new.key / 90596966400000, new.place, new.type, 1, new.picture_bytes)
            ON CONFLICT DO UPDATE SET events = events + 1, picture_bytes = picture_bytes + excluded.picture_bytes;
        END;
        CREATE TRIGGER event_goes AFTER DELETE ON events
        BEGIN
            DELETE FROM event_days
            WHERE day = old.key / 90596966400000 AND place = old.place AND type = old.type AND events = 1;
            UPDATE event_days SET events = events - 1, picture_bytes = picture_bytes - old.picture_bytes
            WHERE day = old.key / 90596966400000 AND place = old.place AND type = old.type;
            DELETE FROM incidents WHERE id = old.incident_id
                AND NOT EXISTS (SELECT 1 FROM events WHERE incident_id = old.incident_id);
        END;
        CREATE TRIGGER picture_goes AFTER UPDATE OF picture_key, picture_bytes ON events
        BEGIN
            UPDATE event_days SET picture_bytes = picture_bytes + new.picture_bytes - old.picture_bytes
            WHERE day = old.key / 90596966400000 AND place = old.place AND type = old.type;
        END;
        CREATE TRIGGER event_stays BEFORE UPDATE OF
            key, id, source, camera_id, place, camera_name, type, confidence, description, incident_id, created_at ON events
        BEGIN SELECT RAISE(ABORT, 'what was seen stays as it was told'); END;
        CREATE TRIGGER picture_comes_with_its_event BEFORE UPDATE OF picture_key ON events WHEN new.picture_key IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a picture comes with its event, or never'); END;
        """

    static let tokens = """
        -- Whether a program may say what it has seen.
        ALTER TABLE api_tokens ADD COLUMN records_events INTEGER NOT NULL DEFAULT 0 CHECK (records_events IN (0, 1));
        """
}
