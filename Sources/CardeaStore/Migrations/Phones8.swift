/// Phones that act for a person, and those that wait to be confirmed.
enum Phones8 {
    /// A session may be a phone's. The list of ways to sign in is a constraint, which SQLite changes only with its table.
    static let sessions = """
        CREATE TABLE sessions_8 (
            id TEXT PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            ended_at INTEGER,
            end_reason TEXT,
            device TEXT,
            remote TEXT,
            is_local INTEGER NOT NULL DEFAULT 1 CHECK (is_local IN (0, 1)),
            signed_in_by TEXT NOT NULL DEFAULT 'password'
                CHECK (signed_in_by IN ('password', 'passkey', 'claim', 'invitation', 'recovery_code', 'phone')),
            proven_at INTEGER,
            proven_by TEXT,
            -- Nobody proves on a phone that it is they: what asks for that is beyond it.
            CHECK (signed_in_by <> 'phone' OR proven_at IS NULL)
        ) STRICT;
        INSERT INTO sessions_8 (id, person_id, created_at, expires_at, last_used_at, ended_at, end_reason, device, remote, is_local,
            signed_in_by, proven_at, proven_by)
        SELECT id, person_id, created_at, expires_at, last_used_at, ended_at, end_reason, device, remote, is_local, signed_in_by,
            proven_at, proven_by FROM sessions;
        DROP TABLE sessions;
        ALTER TABLE sessions_8 RENAME TO sessions;
        CREATE INDEX sessions_by_person ON sessions (person_id);
        CREATE TRIGGER ended_session_stays BEFORE UPDATE OF ended_at ON sessions
        WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at
        BEGIN SELECT RAISE(ABORT, 'an ended session stays ended'); END;
        """

    static let phones = """
        CREATE TABLE phones (
            id TEXT PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            -- The one it holds now. One that is paired anew gets another.
            session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
            -- SHA-256 of the phone's own name for itself.
            device_hash BLOB NOT NULL CHECK (length(device_hash) = 32),
            name TEXT NOT NULL CHECK (name <> ''),
            model TEXT,
            platform TEXT CHECK (platform IN ('ios', 'android')),
            paired_at INTEGER NOT NULL
        ) STRICT;
        -- One phone is one phone of a person, however often it is paired; it may be another person's too.
        CREATE UNIQUE INDEX one_phone_of_a_person ON phones (person_id, device_hash);
        CREATE TABLE phone_pairings (
            id TEXT PRIMARY KEY,
            -- Of the six digits: unique while they are good.
            code_hash BLOB NOT NULL UNIQUE CHECK (length(code_hash) = 32),
            -- Of the secret that only the phone that asked was given.
            secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            device_hash BLOB NOT NULL UNIQUE CHECK (length(device_hash) = 32),
            name TEXT NOT NULL CHECK (name <> ''),
            model TEXT,
            platform TEXT CHECK (platform IN ('ios', 'android')),
            remote TEXT,
            is_local INTEGER NOT NULL CHECK (is_local IN (0, 1)),
            asked_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            -- At the fifth the pairing is over, and its row gone.
            wrong_tries INTEGER NOT NULL DEFAULT 0 CHECK (wrong_tries BETWEEN 0 AND 4),
            confirmed_by TEXT REFERENCES people (id) ON DELETE CASCADE,
            -- In which session: what that has lost, the phone does not get.
            confirmed_in TEXT REFERENCES sessions (id) ON DELETE CASCADE,
            confirmed_at INTEGER,
            CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL) AND (confirmed_by IS NULL) = (confirmed_in IS NULL))
        ) STRICT;
        """
}
