/// The tables of the one file, step by step.
enum ReplicaSchema {
    static let first = """
        CREATE TABLE replica (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            key_mark BLOB NOT NULL CHECK (length(key_mark) = 32),
            -- The last event of the house's journal that stands here; nil before the first look.
            cursor INTEGER CHECK (cursor >= 0),
            -- When this was last level with the house, in milliseconds since 1970 by the clock here.
            level_at INTEGER,
            -- When everything was last read anew.
            whole_at INTEGER
        ) STRICT;

        -- Things of the house as it last told them.
        CREATE TABLE documents (
            -- A keyed hash of kind and id.
            mark BLOB PRIMARY KEY CHECK (length(mark) = 32),
            kind TEXT NOT NULL,
            position INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX documents_of_kind ON documents (kind, position);

        -- Kinds of which something changed that is still to be read.
        CREATE TABLE stale_kinds (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

        -- What is to be asked of the house, in the order in which it was wished.
        CREATE TABLE outbox (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            -- Also the name under which the house hears of it: said twice, it is done once.
            id TEXT NOT NULL UNIQUE,
            -- A keyed hash of the device, room or scene it is about. What is about the same waits for what came before.
            lane BLOB NOT NULL CHECK (length(lane) = 32),
            sealed BLOB NOT NULL,
            made_at INTEGER NOT NULL,
            not_after INTEGER,
            tries INTEGER NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 3),
            -- waiting: certainly not heard of yet; sent: the house may have heard of it; ended: it never will be done.
            status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'ended')),
            ending_sealed BLOB,
            CHECK ((status = 'ended') = (ending_sealed IS NOT NULL))
        ) STRICT;
        CREATE INDEX outbox_open ON outbox (position) WHERE status <> 'ended';

        -- Changes that met another's. The thing stays frozen here until somebody decides.
        CREATE TABLE conflicts (
            id TEXT PRIMARY KEY,
            lane BLOB NOT NULL UNIQUE CHECK (length(lane) = 32),
            sealed BLOB NOT NULL,
            found_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    static let answers = """
        -- What else the house was asked, with what it said.
        CREATE TABLE answers (
            -- A keyed hash of the question.
            mark BLOB PRIMARY KEY CHECK (length(mark) = 32),
            -- 2: high, 3: critical. What matters less is kept in memory alone.
            priority INTEGER NOT NULL CHECK (priority BETWEEN 2 AND 3),
            asked_at INTEGER NOT NULL,
            keep_until INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    static let pictures = """
        -- Pictures that were looked at. Apart from the answers, so that neither takes the other's room.
        CREATE TABLE pictures (
            -- A keyed hash of what it is a picture of.
            mark BLOB PRIMARY KEY CHECK (length(mark) = 32),
            -- When the house last said that it is this one.
            asked_at INTEGER NOT NULL,
            -- Rises with every look; by no clock, which may be set back.
            last_use INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT;
        CREATE INDEX pictures_by_use ON pictures (last_use);

        -- The kind of things that an answer lists: it goes when one of them is deleted. Of earlier answers nobody knows it.
        DELETE FROM answers;
        ALTER TABLE answers ADD COLUMN lists TEXT;

        -- The latest events are kept from now on.
        INSERT OR IGNORE INTO stale_kinds (kind) VALUES ('event');
        """

    static let trail = """
        -- What was seen of the house's audit trail, by which it shows later whether that was put back, cut or written anew.
        CREATE TABLE trail (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            -- When the house was asked last, by the clock here.
            asked_at INTEGER NOT NULL,
            -- nil where it is not this person's to see.
            sealed BLOB
        ) STRICT;
        """

    static let erased = """
        -- People who were erased in the house, and of whom nothing is left here.
        CREATE TABLE erased (
            -- A keyed hash of the person's id.
            mark BLOB PRIMARY KEY CHECK (length(mark) = 32),
            -- The id, until the house has heard that nothing is left; NULL from then on.
            sealed BLOB
        ) STRICT, WITHOUT ROWID;
        -- Rises whenever somebody is taken out: what was asked before is not kept after.
        ALTER TABLE replica ADD COLUMN erasures INTEGER NOT NULL DEFAULT 0;
        """
}
