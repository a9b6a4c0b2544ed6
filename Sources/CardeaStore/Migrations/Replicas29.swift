/// The clients that keep a replica, and those that have yet to confirm that they erased a person from it.
enum Replicas29 {
    static let replicas = """
        CREATE TABLE replicas (
            session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
            since INTEGER NOT NULL
        ) STRICT;
        """

    static let confirmations = """
        -- A row goes when its client has confirmed. Where its session is over, nothing is owed any more.
        CREATE TABLE owed_confirmations (
            person_id TEXT NOT NULL REFERENCES erasures (person_id) ON DELETE CASCADE,
            session_id TEXT NOT NULL REFERENCES replicas (session_id) ON DELETE CASCADE,
            told_at INTEGER NOT NULL,
            PRIMARY KEY (person_id, session_id)
        ) STRICT;
        CREATE INDEX owed_confirmations_by_session ON owed_confirmations (session_id);
        -- Clients that were told, those of them that confirmed, and the erased person's own that kept a copy and can confirm nothing.
        ALTER TABLE erasures ADD COLUMN told INTEGER NOT NULL DEFAULT 0 CHECK (told >= 0);
        ALTER TABLE erasures ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 0 CHECK (confirmed BETWEEN 0 AND told);
        ALTER TABLE erasures ADD COLUMN own INTEGER NOT NULL DEFAULT 0 CHECK (own >= 0);
        """

    static let tokens = """
        -- What the devices of somebody who was erased still hold: by it, and by nothing else, each learns that it is to keep nothing.
        CREATE TABLE erased_tokens (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
            erased_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX erased_tokens_by_age ON erased_tokens (erased_at);
        """
}
