/// The first house. SQLite carries the invariants: what must never be true cannot be written.
enum InitialSchema1 {
    static let journal = """
        CREATE TABLE journal (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            device_id TEXT,
            subject TEXT,
            data TEXT NOT NULL
        ) STRICT;
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            journal_seq INTEGER,
            who_kind TEXT NOT NULL CHECK (who_kind IN ('person', 'guest', 'system', 'stranger')),
            who_id TEXT,
            action TEXT NOT NULL,
            device_id TEXT,
            entity_id TEXT,
            grant_id TEXT,
            result TEXT NOT NULL,
            reason TEXT,
            command_id TEXT,
            remote TEXT,
            request_id TEXT
        ) STRICT;
        CREATE INDEX audit_by_who ON audit (who_id, id);
        CREATE INDEX audit_by_grant ON audit (grant_id, id) WHERE grant_id IS NOT NULL;
        CREATE INDEX audit_by_command ON audit (command_id, id) WHERE command_id IS NOT NULL;
        """

    static let house = """
        CREATE TABLE house (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            house_id TEXT NOT NULL,
            name TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            claimed_at INTEGER,
            claim_hash BLOB
        ) STRICT;
        CREATE TABLE sealed_settings (
            name TEXT PRIMARY KEY,
            sealed BLOB NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        """

    static let people = """
        CREATE TABLE people (
            id TEXT PRIMARY KEY,
            username TEXT UNIQUE COLLATE NOCASE,
            name TEXT NOT NULL CHECK (name <> ''),
            role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'guest')),
            password_hash TEXT,
            can_invite_guests INTEGER NOT NULL DEFAULT 0 CHECK (can_invite_guests IN (0, 1)),
            disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
            created_at INTEGER NOT NULL,
            last_seen_at INTEGER,
            removed_at INTEGER,
            CHECK ((username IS NULL) = (password_hash IS NULL))
        ) STRICT;
        CREATE TABLE person_invitations (
            hash BLOB PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            expires_at INTEGER NOT NULL,
            accepted_at INTEGER
        ) STRICT;
        -- A house needs an owner: one who can sign in, is not disabled and has not been removed.
        CREATE TRIGGER last_owner BEFORE UPDATE ON people
        WHEN OLD.role = 'owner' AND OLD.disabled = 0 AND OLD.removed_at IS NULL AND OLD.username IS NOT NULL
            AND NOT (NEW.role = 'owner' AND NEW.disabled = 0 AND NEW.removed_at IS NULL AND NEW.username IS NOT NULL)
            AND (SELECT count(*) FROM people
                 WHERE role = 'owner' AND disabled = 0 AND removed_at IS NULL AND username IS NOT NULL) <= 1
        BEGIN SELECT RAISE(ABORT, 'last_owner'); END;
        CREATE TRIGGER last_owner_stays BEFORE DELETE ON people
        WHEN OLD.role = 'owner' BEGIN SELECT RAISE(ABORT, 'last_owner'); END;
        """

    static let sessions = """
        CREATE TABLE signing_keys (
            kid TEXT PRIMARY KEY,
            sealed BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            retired_at INTEGER
        ) STRICT;
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            ended_at INTEGER,
            end_reason TEXT
        ) STRICT;
        CREATE INDEX sessions_by_person ON sessions (person_id);
        CREATE TABLE refresh_tokens (
            hash BLOB PRIMARY KEY,
            session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            expires_at INTEGER NOT NULL,
            used_at INTEGER,
            successor_hash BLOB,
            successor_sealed BLOB
        ) STRICT;
        -- One living token a family: two successors of one token cannot both be unused.
        CREATE UNIQUE INDEX one_living_refresh_token ON refresh_tokens (session_id) WHERE used_at IS NULL;
        CREATE TABLE throttles (
            scope TEXT NOT NULL,
            subject TEXT NOT NULL,
            failures INTEGER NOT NULL CHECK (failures >= 0),
            last_at INTEGER NOT NULL,
            PRIMARY KEY (scope, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE kept_answers (
            principal TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            sealed BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (principal, key)
        ) STRICT, WITHOUT ROWID;
        """

    static let devices = """
        CREATE TABLE rooms (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL CHECK (name <> ''),
            position INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE devices (
            id TEXT PRIMARY KEY,
            integration TEXT NOT NULL,
            name TEXT NOT NULL CHECK (name <> ''),
            name_is_given INTEGER NOT NULL DEFAULT 0,
            device_class TEXT NOT NULL,
            room_id TEXT REFERENCES rooms (id) ON DELETE SET NULL,
            connection TEXT NOT NULL,
            manufacturer TEXT,
            model TEXT,
            status TEXT NOT NULL CHECK (status IN ('online', 'offline', 'unknown', 'error')),
            is_security_device INTEGER NOT NULL DEFAULT 0 CHECK (is_security_device IN (0, 1)),
            is_guest_accessible INTEGER NOT NULL DEFAULT 1 CHECK (is_guest_accessible IN (0, 1)),
            attributes TEXT NOT NULL,
            version INTEGER NOT NULL CHECK (version > 0),
            state_changed_at INTEGER NOT NULL,
            last_seen_at INTEGER,
            withdrawn_at INTEGER
        ) STRICT;
        CREATE TABLE entities (
            id TEXT PRIMARY KEY,
            device_id TEXT NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            device_class TEXT,
            unit TEXT,
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            verbs TEXT NOT NULL,
            notice TEXT,
            state TEXT NOT NULL,
            attributes TEXT NOT NULL,
            is_way_in INTEGER NOT NULL CHECK (is_way_in IN (0, 1))
        ) STRICT;
        CREATE INDEX entities_by_device ON entities (device_id, position);
        """

    static let guests = """
        CREATE TABLE guests (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL CHECK (name <> ''),
            created_by TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            starts_at INTEGER,
            expires_at INTEGER NOT NULL,
            schedule TEXT,
            use_limit INTEGER NOT NULL CHECK (use_limit >= 0),
            use_count INTEGER NOT NULL DEFAULT 0 CHECK (use_count >= 0 AND (use_limit = 0 OR use_count <= use_limit)),
            requires_approval INTEGER NOT NULL CHECK (requires_approval IN (0, 1)),
            approval_asked_at INTEGER,
            approved_at INTEGER,
            rejected_at INTEGER,
            asks_each_time INTEGER NOT NULL CHECK (asks_each_time IN (0, 1)),
            local_only INTEGER NOT NULL CHECK (local_only IN (0, 1)),
            paired_at INTEGER,
            last_used_at INTEGER,
            suspended_at INTEGER,
            revoked_at INTEGER,
            version INTEGER NOT NULL DEFAULT 1,
            CHECK (starts_at IS NULL OR starts_at < expires_at)
        ) STRICT;
        CREATE TABLE guest_items (
            guest_id TEXT NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            device_id TEXT NOT NULL,
            entity_id TEXT NOT NULL,
            actions TEXT NOT NULL,
            PRIMARY KEY (guest_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE guest_codes (
            hash BLOB PRIMARY KEY,
            guest_id TEXT NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('spoken', 'link')),
            expires_at INTEGER NOT NULL,
            redeemed_at INTEGER,
            scanned_at INTEGER,
            -- The link's code, sealed, for as long as its QR may be shown.
            sealed BLOB,
            CHECK (redeemed_at IS NULL OR sealed IS NULL)
        ) STRICT;
        CREATE INDEX guest_codes_by_guest ON guest_codes (guest_id);
        CREATE TABLE guest_tokens (
            hash BLOB PRIMARY KEY,
            guest_id TEXT NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            -- A new phone took the pass over.
            replaced_at INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX one_phone_a_pass ON guest_tokens (guest_id) WHERE replaced_at IS NULL;
        """

    static let commands = """
        CREATE TABLE commands (
            id TEXT PRIMARY KEY,
            principal TEXT NOT NULL,
            idempotency_key TEXT,
            fingerprint BLOB,
            integration TEXT NOT NULL,
            device_id TEXT NOT NULL,
            entity_id TEXT NOT NULL,
            verb TEXT NOT NULL,
            spoken TEXT,
            value TEXT,
            transition REAL,
            guest_id TEXT,
            grant_id TEXT NOT NULL,
            is_way_in INTEGER NOT NULL CHECK (is_way_in IN (0, 1)),
            risk TEXT NOT NULL CHECK (risk IN ('read', 'control', 'open')),
            status TEXT NOT NULL CHECK (status IN ('accepted', 'dispatching', 'confirmed', 'failed', 'unknown', 'expired')),
            asks INTEGER NOT NULL CHECK (asks IN (0, 1)),
            accepted_at INTEGER NOT NULL,
            not_after INTEGER NOT NULL,
            answer_by INTEGER,
            finished_at INTEGER,
            reason TEXT,
            use_returned INTEGER NOT NULL DEFAULT 0 CHECK (use_returned IN (0, 1)),
            new_state TEXT,
            -- Which use of the pass this is, and of how many; NULL for who needs none.
            use_number INTEGER,
            use_limit INTEGER,
            remote TEXT,
            request_id TEXT,
            CHECK ((status IN ('accepted', 'dispatching')) = (finished_at IS NULL)),
            CHECK (status NOT IN ('confirmed', 'unknown') OR use_returned = 0)
        ) STRICT;
        CREATE UNIQUE INDEX commands_once ON commands (principal, idempotency_key) WHERE idempotency_key IS NOT NULL;
        -- A door takes one command at a time.
        CREATE UNIQUE INDEX one_at_the_door ON commands (entity_id) WHERE is_way_in = 1 AND status = 'dispatching';
        CREATE INDEX commands_open ON commands (entity_id, accepted_at) WHERE status IN ('accepted', 'dispatching');
        CREATE INDEX commands_with_key ON commands (accepted_at) WHERE idempotency_key IS NOT NULL;
        """

    static let safeguards = """
        -- A command never goes back, and never on after its end.
        CREATE TRIGGER command_goes_forward BEFORE UPDATE OF status ON commands
        WHEN NOT (OLD.status = NEW.status
            OR (OLD.status = 'accepted' AND NEW.status IN ('dispatching', 'expired'))
            OR (OLD.status = 'dispatching' AND NEW.status IN ('confirmed', 'failed', 'unknown')))
        BEGIN SELECT RAISE(ABORT, 'a command goes forward only'); END;
        -- A pass that was taken back stays so.
        CREATE TRIGGER revoked_stays BEFORE UPDATE OF revoked_at ON guests
        WHEN OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at
        BEGIN SELECT RAISE(ABORT, 'a revoked pass stays revoked'); END;
        CREATE TRIGGER journal_is_append_only BEFORE UPDATE OF seq, at, kind ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is not rewritten'); END;
        """
}
