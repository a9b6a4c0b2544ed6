/// The approval of a pass was for the phone that showed its code next. Now it is for the phone that asked.
enum GuestPairingRequests45 {
    static let asks = """
        CREATE TABLE phone_asks (
            id TEXT NOT NULL PRIMARY KEY,
            guest_id TEXT NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
            -- SHA-256 of the phone's key, or of the secret that its first answer gave it.
            phone BLOB NOT NULL CHECK (length(phone) = 32),
            -- Phone and house show the same one.
            number TEXT NOT NULL CHECK (number GLOB '[0-9][0-9][0-9][0-9]'),
            asked_at INTEGER NOT NULL,
            approved_at INTEGER,
            rejected_at INTEGER,
            CHECK (approved_at IS NULL OR rejected_at IS NULL)
        ) STRICT;
        CREATE UNIQUE INDEX one_ask_of_a_phone ON phone_asks (guest_id, phone);
        CREATE UNIQUE INDEX one_phone_of_a_number ON phone_asks (guest_id, number);
        CREATE UNIQUE INDEX one_yes_a_pass ON phone_asks (guest_id) WHERE approved_at IS NOT NULL;
        """
}
