/// Buttons that publish, and tags that are written before they count.
enum ButtonPublishing14 {
    static let buttons = """
        -- What it says, where it says something instead of asking a device of the house.
        ALTER TABLE buttons ADD COLUMN publication TEXT;
        -- The key of its envelopes and the one for %T, sealed.
        ALTER TABLE buttons ADD COLUMN publication_keys BLOB CHECK (publication_keys IS NULL OR publication IS NOT NULL);
        """

    static let tags = """
        -- A pending one is being written: it presses nothing until somebody has read it back.
        ALTER TABLE tags ADD COLUMN state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('pending', 'active'));
        -- The one in whose place it comes.
        ALTER TABLE tags ADD COLUMN replaces TEXT CHECK (replaces IS NULL OR state = 'pending');
        ALTER TABLE tags ADD COLUMN written_at INTEGER;
        CREATE TRIGGER active_stays BEFORE UPDATE OF state ON tags WHEN old.state = 'active' AND new.state <> 'active'
        BEGIN SELECT RAISE(ABORT, 'a tag that was written stays written'); END;
        """
}
