/// What an entity is beside what its device is there for, and which buttons, switches and valves let somebody in.
enum WaysIn51 {
    static let entities = """
        ALTER TABLE entities ADD COLUMN category TEXT CHECK (category IN ('config', 'diagnostic'));
        -- The household's mark. It outlasts the entity: announced again, a relay at a garage is what it was.
        CREATE TABLE ways_in (
            entity_id TEXT NOT NULL PRIMARY KEY,
            marked_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
