/// The URLs by which doorbells and cameras report events.
enum IncomingWebhooks61 {
    static let webhooks = """
        CREATE TABLE webhooks (
            id TEXT NOT NULL PRIMARY KEY,
            -- SHA-256 of the secret in the URL, which is nowhere kept.
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
            name TEXT NOT NULL CHECK (name <> ''),
            make TEXT NOT NULL CHECK (make <> ''),
            -- The camera or device for which it reports.
            camera_id TEXT,
            type TEXT NOT NULL CHECK (type <> ''),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER,
            revoked_at INTEGER
        ) STRICT;
        """
}
