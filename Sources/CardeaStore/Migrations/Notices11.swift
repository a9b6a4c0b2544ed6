/// Notifications that people were sent, and their delivery.
enum Notices11 {
    static let notices = """
        -- Up to which row of the journal people were told. A house that is older than notices tells of nothing that was before.
        CREATE TABLE notice_cursor (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            seq INTEGER NOT NULL
        ) STRICT;
        INSERT INTO notice_cursor (only, seq)
        VALUES (1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'journal'), 0));
        CREATE TRIGGER notices_go_on BEFORE UPDATE OF seq ON notice_cursor WHEN new.seq < old.seq
        BEGIN SELECT RAISE(ABORT, 'nobody is told of the same twice'); END;

        CREATE TABLE notices (
            id TEXT NOT NULL PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            incident TEXT NOT NULL,
            place TEXT NOT NULL,
            place_name TEXT NOT NULL,
            happened_at INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            -- Whether it was sent, or is only kept for when they look.
            is_quiet INTEGER NOT NULL CHECK (is_quiet IN (0, 1)),
            acknowledged_at INTEGER,
            -- The notice that nobody answered, where this one was sent in its place.
            escalated_from TEXT,
            -- When the next one is told, unless somebody answers.
            escalates_at INTEGER
        ) STRICT;
        -- Whatever is read twice: told once.
        CREATE UNIQUE INDEX notice_of_a_subject ON notices (person_id, subject);
        CREATE INDEX notices_by_person ON notices (person_id, created_at, id);
        CREATE INDEX notices_by_incident ON notices (incident, person_id);
        CREATE INDEX notices_by_age ON notices (created_at);
        CREATE INDEX notices_unanswered ON notices (escalates_at) WHERE escalates_at IS NOT NULL;
        CREATE TRIGGER acknowledged_stays BEFORE UPDATE OF acknowledged_at ON notices
        WHEN old.acknowledged_at IS NOT NULL AND new.acknowledged_at IS NOT old.acknowledged_at
        BEGIN SELECT RAISE(ABORT, 'what was seen was seen'); END;

        CREATE TABLE notice_preferences (
            person_id TEXT NOT NULL PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
            is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
            -- Words with a blank between them, and names with a line each.
            kinds TEXT NOT NULL,
            muted TEXT NOT NULL,
            quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
            quiet_to INTEGER CHECK (quiet_to BETWEEN 0 AND 1439),
            quiet_zone TEXT,
            lets_critical_through INTEGER NOT NULL CHECK (lets_critical_through IN (0, 1)),
            cooldown INTEGER NOT NULL CHECK (cooldown BETWEEN 0 AND 86400),
            escalates_after INTEGER CHECK (escalates_after BETWEEN 30 AND 3600),
            escalates_to TEXT REFERENCES people (id) ON DELETE SET NULL,
            version INTEGER NOT NULL CHECK (version > 0),
            CHECK ((quiet_from IS NULL) = (quiet_to IS NULL) AND (quiet_from IS NULL) = (quiet_zone IS NULL)),
            CHECK (escalates_to IS NULL OR escalates_to <> person_id)
        ) STRICT;
        """

    static let pushes = """
        -- With another key, every browser's subscription is worth nothing.
        CREATE TABLE push_identity (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            key BLOB NOT NULL
        ) STRICT;

        CREATE TABLE push_subscriptions (
            id TEXT NOT NULL PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            -- Whoever is signed out is told of nothing.
            session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            way TEXT NOT NULL CHECK (way IN ('web', 'apns')),
            -- Of the address or the device token: one is one person's.
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
            -- Where it leads and by which keys, sealed.
            sealed BLOB NOT NULL,
            service TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            -- One after the other; a delivery that was taken sets them back.
            failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0)
        ) STRICT;
        CREATE INDEX push_by_person ON push_subscriptions (person_id);
        CREATE INDEX push_by_session ON push_subscriptions (session_id);
        CREATE TRIGGER push_ends_with_its_session AFTER UPDATE OF ended_at ON sessions WHEN new.ended_at IS NOT NULL
        BEGIN DELETE FROM push_subscriptions WHERE session_id = new.id; END;

        -- What is on its way, and what became of it.
        CREATE TABLE notice_deliveries (
            id INTEGER PRIMARY KEY,
            notice_id TEXT NOT NULL REFERENCES notices (id) ON DELETE CASCADE,
            -- Of no table: what was delivered stays known when the browser is gone.
            subscription_id TEXT NOT NULL,
            service TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'taken', 'gone', 'refused', 'given_up')),
            tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
            due_at INTEGER NOT NULL,
            status INTEGER,
            settled_at INTEGER,
            CHECK ((state = 'waiting') = (settled_at IS NULL))
        ) STRICT;
        CREATE UNIQUE INDEX one_delivery_of_a_notice ON notice_deliveries (notice_id, subscription_id);
        CREATE INDEX deliveries_due ON notice_deliveries (due_at) WHERE state = 'waiting';
        CREATE TRIGGER settled_stays BEFORE UPDATE OF state ON notice_deliveries WHEN old.state <> 'waiting'
        BEGIN SELECT RAISE(ABORT, 'what became of a delivery stays'); END;
        """
}
