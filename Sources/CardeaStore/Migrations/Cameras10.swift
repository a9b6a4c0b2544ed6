/// Cameras. Their addresses and credentials are sealed; the part of the address that is shown is kept beside them.
enum Cameras10 {
    static let cameras = """
        CREATE TABLE cameras (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL CHECK (name <> ''),
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            kind TEXT NOT NULL CHECK (kind IN ('rtsp', 'http', 'frigate', 'home_assistant')),
            address TEXT NOT NULL,
            has_credentials INTEGER NOT NULL CHECK (has_credentials IN (0, 1)),
            sealed BLOB NOT NULL,
            -- Only a stream can be watched.
            detects_motion INTEGER NOT NULL CHECK (detects_motion IN (0, 1) AND (detects_motion = 0 OR kind = 'rtsp')),
            sensitivity INTEGER NOT NULL CHECK (sensitivity BETWEEN 1 AND 100),
            zones TEXT NOT NULL,
            version INTEGER NOT NULL CHECK (version > 0),
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            last_event_at INTEGER
        ) STRICT;
        """
}
