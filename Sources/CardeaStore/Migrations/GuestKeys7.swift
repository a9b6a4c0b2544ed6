/// A pass that is bound to its guest's own phone by that phone's key.
enum GuestKeys7 {
    static let keys = """
        ALTER TABLE guest_tokens ADD COLUMN device_id TEXT;
        -- Ed25519. A pass that was taken before, or by a browser that cannot sign, has none.
        ALTER TABLE guest_tokens ADD COLUMN public_key BLOB
            CHECK ((public_key IS NULL) = (device_id IS NULL) AND (public_key IS NULL OR length(public_key) = 32));
        CREATE TRIGGER key_stays BEFORE UPDATE OF device_id, public_key ON guest_tokens
        BEGIN SELECT RAISE(ABORT, 'a pass keeps the key it was taken with'); END;
        """
}
