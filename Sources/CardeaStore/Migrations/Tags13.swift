/// Buttons, the tags that press them, and the links that were made for them.
enum Tags13 {
    static let buttons = """
        CREATE TABLE buttons (
            id TEXT NOT NULL PRIMARY KEY,
            number INTEGER NOT NULL UNIQUE CHECK (number BETWEEN 0 AND 9999),
            title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
            device_id TEXT NOT NULL,
            entity_id TEXT,
            verb TEXT NOT NULL,
            value TEXT,
            transition REAL,
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            answers_tags INTEGER NOT NULL CHECK (answers_tags IN (0, 1)),
            countdown INTEGER NOT NULL CHECK (countdown BETWEEN 0 AND 30),
            -- What its live links are signed with.
            secret BLOB NOT NULL,
            version INTEGER NOT NULL CHECK (version > 0),
            -- Rises when it does something else.
            action_version INTEGER NOT NULL CHECK (action_version > 0),
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        CREATE TRIGGER number_stays BEFORE UPDATE OF number ON buttons WHEN new.number <> old.number
        BEGIN SELECT RAISE(ABORT, 'a button keeps its number'); END;

        CREATE TABLE tag_settings (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
            control TEXT NOT NULL,
            open TEXT NOT NULL,
            version INTEGER NOT NULL CHECK (version > 0),
            -- The number of the next button: none is given twice.
            next_number INTEGER NOT NULL CHECK (next_number BETWEEN 0 AND 10000),
            -- Of which the keys of the house's own tags are made, sealed; NULL until the first of them.
            master BLOB
        ) STRICT;
        CREATE TRIGGER master_stays BEFORE UPDATE OF master ON tag_settings WHEN old.master IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'another master key would make every tag worthless'); END;
        INSERT INTO tag_settings (only, is_on, control, open, version, next_number) VALUES (1, 1, 'confirmed', 'confirmed', 1, 0);
        CREATE TRIGGER numbers_rise BEFORE UPDATE OF next_number ON tag_settings WHEN new.next_number < old.next_number
        BEGIN SELECT RAISE(ABORT, 'no number is given twice'); END;
        """

    static let tags = """
        CREATE TABLE tags (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('static', 'sun')),
            button_id TEXT NOT NULL REFERENCES buttons (id) ON DELETE CASCADE,
            button_version INTEGER NOT NULL,
            label TEXT,
            uid BLOB UNIQUE CHECK (uid IS NULL OR length(uid) = 7),
            -- SDMMetaReadKey and SDMFileReadKey, sealed, and the names of the link's parameters.
            keys BLOB,
            -- By which its touches are counted: a mark of its UID and its own key.
            chip BLOB CHECK (chip IS NULL OR length(chip) = 32),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER,
            alarmed_at INTEGER,
            CHECK ((kind = 'sun') = (uid IS NOT NULL) AND (kind = 'sun') = (keys IS NOT NULL) AND (kind = 'sun') = (chip IS NOT NULL))
        ) STRICT;
        CREATE INDEX tags_by_button ON tags (button_id);

        -- How often each had been touched when it was last believed. It outlives its tag: who takes a tag out and puts it in again does not
        -- make its old links good.
        CREATE TABLE tag_counters (
            chip BLOB NOT NULL PRIMARY KEY CHECK (length(chip) = 32),
            counter INTEGER NOT NULL CHECK (counter BETWEEN 0 AND 16777215)
        ) STRICT;
        CREATE TRIGGER counter_rises BEFORE UPDATE OF counter ON tag_counters WHEN new.counter <= old.counter
        BEGIN SELECT RAISE(ABORT, 'a counter rises'); END;

        -- Live links: those that were made here, and those that were used.
        CREATE TABLE live_links (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            button_id TEXT NOT NULL REFERENCES buttons (id) ON DELETE CASCADE,
            -- Whose grant it is; NULL for one that was made elsewhere with the button's secret.
            made_by TEXT,
            -- The button's action_version then; NULL for one that was made elsewhere.
            button_version INTEGER,
            expires_at INTEGER NOT NULL,
            used_at INTEGER
        ) STRICT;
        CREATE INDEX live_links_by_age ON live_links (expires_at);
        CREATE TRIGGER used_once BEFORE UPDATE OF used_at ON live_links WHEN old.used_at IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a live link is used once'); END;
        """
}
