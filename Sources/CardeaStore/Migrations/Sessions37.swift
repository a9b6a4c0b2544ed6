/// Whether somebody has signed in from a place before is asked at each wrong password, and must cost the same whoever they are.
enum Sessions37 {
    static let places = """
        ALTER TABLE sessions ADD COLUMN remote_mark BLOB CHECK (remote_mark IS NULL OR length(remote_mark) = 32);
        CREATE INDEX sessions_by_place ON sessions (person_id, remote_mark) WHERE remote_mark IS NOT NULL;
        -- The next start, which has the house's key, marks the places that are known.
        DELETE FROM column_seal;
        """
}
