/// The category of an entity, the buttons, switches and valves that open a way in, and how a state became known.
enum WaysIn51 {
    static let happenings = """
        -- How it came to be known that an entity stands so; null where it is by the change itself.
        ALTER TABLE happenings ADD COLUMN report TEXT CHECK (report IN ('kept', 'press'));
        """

    static let entities = """
        ALTER TABLE entities ADD COLUMN category TEXT CHECK (category IN ('config', 'diagnostic'));
        -- The household's mark. It outlasts the entity: announced again, a relay at a garage is what it was.
        CREATE TABLE ways_in (
            entity_id TEXT NOT NULL PRIMARY KEY,
            marked_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
