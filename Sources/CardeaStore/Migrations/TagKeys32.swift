/// Tags that prove their touches get other keys.
enum TagKeys32 {
    static let keys = """
        -- The master is made anew with each change of keys: those of every tag lie in its own row, and nothing asks how they were made.
        DROP TRIGGER master_stays;
        -- What the tag is to have from now on, sealed, until somebody has read back that it has: until then it is believed by those it had.
        ALTER TABLE tags ADD COLUMN next_keys BLOB CHECK (next_keys IS NULL OR kind = 'sun');
        """
}
