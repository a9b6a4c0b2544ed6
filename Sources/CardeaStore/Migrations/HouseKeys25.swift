/// The house's key, which seals everything, wrapped by the key that opens it.
enum HouseKeys25 {
    static let keys = """
        CREATE TABLE house_keys (
            -- The newest one counts; an older one is still there while a rotation has not come to its end.
            number INTEGER PRIMARY KEY,
            -- Where the key lies that opens this; 'recovery' is on paper.
            place TEXT NOT NULL CHECK (place IN ('credential', 'file', 'secret-service', 'recovery')),
            -- By what systemd sealed the credential, where this program had it sealed.
            guarded_by TEXT CHECK (guarded_by IS NULL OR (place = 'credential' AND guarded_by IN ('host', 'tpm2', 'host+tpm2'))),
            -- By which that key is known, from which nobody guesses it.
            mark BLOB NOT NULL UNIQUE CHECK (length(mark) = 32),
            wrapped BLOB NOT NULL,
            made_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX one_recovery ON house_keys (place) WHERE place = 'recovery';
        CREATE TRIGGER house_key_stays BEFORE DELETE ON house_keys
        WHEN OLD.place <> 'recovery' AND (SELECT count(*) FROM house_keys WHERE place <> 'recovery') = 1
        BEGIN SELECT RAISE(ABORT, 'without its key a house is lost'); END;
        """
}
