/// Sessions that can be told apart, passkeys, recovery codes, and tokens for programs.
enum Sessions3 {
    static let sessions = """
        ALTER TABLE sessions ADD COLUMN device TEXT;
        ALTER TABLE sessions ADD COLUMN remote TEXT;
        ALTER TABLE sessions ADD COLUMN is_local INTEGER NOT NULL DEFAULT 1 CHECK (is_local IN (0, 1));
        ALTER TABLE sessions ADD COLUMN signed_in_by TEXT NOT NULL DEFAULT 'password'
            CHECK (signed_in_by IN ('password', 'passkey', 'claim', 'invitation', 'recovery_code'));
        -- When somebody last proved in this session that it is they, and by what.
        ALTER TABLE sessions ADD COLUMN proven_at INTEGER;
        ALTER TABLE sessions ADD COLUMN proven_by TEXT;
        -- A session that has ended stays so.
        CREATE TRIGGER ended_session_stays BEFORE UPDATE OF ended_at ON sessions
        WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at
        BEGIN SELECT RAISE(ABORT, 'an ended session stays ended'); END;
        """

    static let passkeys = """
        -- What a passkey knows its person by: random, and nothing else is known by it.
        ALTER TABLE people ADD COLUMN passkey_handle BLOB;
        CREATE UNIQUE INDEX people_by_handle ON people (passkey_handle) WHERE passkey_handle IS NOT NULL;
        CREATE TABLE passkeys (
            id TEXT PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            credential_id BLOB NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1023),
            -- The COSE key as the authenticator gave it.
            public_key BLOB NOT NULL,
            sign_count INTEGER NOT NULL CHECK (sign_count >= 0),
            rp_id TEXT NOT NULL,
            name TEXT NOT NULL CHECK (name <> ''),
            aaguid BLOB NOT NULL,
            transports TEXT NOT NULL,
            is_backup_eligible INTEGER NOT NULL CHECK (is_backup_eligible IN (0, 1)),
            is_backed_up INTEGER NOT NULL CHECK (is_backed_up IN (0, 1)),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER,
            ended_at INTEGER,
            end_reason TEXT,
            CHECK (is_backed_up <= is_backup_eligible)
        ) STRICT;
        CREATE INDEX passkeys_by_person ON passkeys (person_id);
        CREATE TRIGGER ended_passkey_stays BEFORE UPDATE OF ended_at ON passkeys
        WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NOT OLD.ended_at
        BEGIN SELECT RAISE(ABORT, 'an ended passkey stays ended'); END;
        CREATE TABLE passkey_challenges (
            hash BLOB PRIMARY KEY,
            purpose TEXT NOT NULL CHECK (purpose IN ('register', 'login')),
            -- Who asked to register; NULL where nobody is known yet.
            session_id TEXT,
            rp_id TEXT NOT NULL,
            remote TEXT,
            made_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            CHECK ((purpose = 'register') = (session_id IS NOT NULL))
        ) STRICT;
        CREATE INDEX passkey_challenges_by_remote ON passkey_challenges (remote, made_at);
        CREATE INDEX passkey_challenges_by_age ON passkey_challenges (made_at);
        CREATE TABLE recovery_codes (
            hash BLOB PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            made_at INTEGER NOT NULL,
            used_at INTEGER
        ) STRICT;
        CREATE INDEX recovery_codes_by_person ON recovery_codes (person_id);
        """

    static let apiTokens = """
        CREATE TABLE api_tokens (
            id TEXT PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (name <> ''),
            -- At most this role, whatever its maker's is.
            role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'guest')),
            -- Only these, as JSON; NULL is whatever the role may.
            items TEXT,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER
        ) STRICT;
        CREATE INDEX api_tokens_by_person ON api_tokens (person_id);
        CREATE TRIGGER revoked_api_token_stays BEFORE UPDATE OF revoked_at ON api_tokens
        WHEN OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at
        BEGIN SELECT RAISE(ABORT, 'a revoked token stays revoked'); END;
        """
}
