/// The address from which a passkey was requested is only compared, so its mark is enough: it was stored here in plaintext.
enum PasskeyChallengeMarks38 {
    static let places = """
        -- They are good for five minutes. Whoever is asked just now is asked again.
        DELETE FROM passkey_challenges;
        DROP INDEX passkey_challenges_by_remote;
        ALTER TABLE passkey_challenges DROP COLUMN remote;
        ALTER TABLE passkey_challenges ADD COLUMN remote_mark BLOB CHECK (remote_mark IS NULL OR length(remote_mark) = 32);
        CREATE INDEX passkey_challenges_by_place ON passkey_challenges (remote_mark, made_at);
        """
}
