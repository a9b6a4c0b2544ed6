/// Passes for which the phone verifies its owner, and passkeys by which a phone that forgot its pass has it again.
enum GuestPasskeys49 {
    static let passes = """
        ALTER TABLE guests ADD COLUMN presence TEXT NOT NULL DEFAULT 'hold' CHECK (presence IN ('hold', 'verified'));
        -- Whether the phone gives its key out only to whom it has verified, as it said itself.
        ALTER TABLE guest_tokens ADD COLUMN verifies INTEGER NOT NULL DEFAULT 0 CHECK (verifies IN (0, 1));
        CREATE TABLE guest_passkeys (
            guest_id TEXT NOT NULL PRIMARY KEY REFERENCES guests (id) ON DELETE CASCADE,
            credential_id BLOB NOT NULL UNIQUE,
            public_key BLOB NOT NULL,
            sign_count INTEGER NOT NULL CHECK (sign_count >= 0),
            rp_id TEXT NOT NULL,
            is_backup_eligible INTEGER NOT NULL CHECK (is_backup_eligible IN (0, 1)),
            made_at INTEGER NOT NULL
        ) STRICT;
        """
}
