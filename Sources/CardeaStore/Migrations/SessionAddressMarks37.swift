/// Marks the address of each session. Each wrong password looks up whether the person has signed in from there before; the index makes that
/// cost the same for everyone.
enum SessionAddressMarks37 {
    static let places = """
        ALTER TABLE sessions ADD COLUMN remote_mark BLOB CHECK (remote_mark IS NULL OR length(remote_mark) = 32);
        CREATE INDEX sessions_by_place ON sessions (person_id, remote_mark) WHERE remote_mark IS NOT NULL;
        -- The next start, which has the house's key, marks the places that are known.
        DELETE FROM column_seal;
        """
}
