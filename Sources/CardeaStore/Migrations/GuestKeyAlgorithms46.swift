/// A browser that has no Ed25519 has P-256: a pass can be bound to a key of either kind.
enum GuestKeyAlgorithms46 {
    static let keys = """
        CREATE TABLE guest_tokens_46 (
            hash BLOB PRIMARY KEY,
            guest_id TEXT NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            -- A new phone took the pass over.
            replaced_at INTEGER,
            device_id TEXT,
            -- Ed25519 has 32 bytes, P-256 65. A pass that was taken by a client without a key has none.
            public_key BLOB
                CHECK ((public_key IS NULL) = (device_id IS NULL) AND (public_key IS NULL OR length(public_key) IN (32, 65)))
        ) STRICT;
        INSERT INTO guest_tokens_46 SELECT hash, guest_id, created_at, replaced_at, device_id, public_key FROM guest_tokens;
        DROP TABLE guest_tokens;
        ALTER TABLE guest_tokens_46 RENAME TO guest_tokens;
        CREATE UNIQUE INDEX one_phone_a_pass ON guest_tokens (guest_id) WHERE replaced_at IS NULL;
        CREATE TRIGGER key_stays BEFORE UPDATE OF device_id, public_key ON guest_tokens
        BEGIN SELECT RAISE(ABORT, 'a pass keeps the key it was taken with'); END;
        """
}
