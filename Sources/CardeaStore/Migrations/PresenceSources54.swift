/// The entities of an integration by which people are known to be home.
enum PresenceSources54 {
    static let sources = """
        -- Each person links their own, and one at most. Only the integration's own id of the entity is stored: no name and no place.
        CREATE TABLE presence_sources (
            person_id TEXT NOT NULL PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
            integration TEXT NOT NULL,
            source TEXT NOT NULL,
            linked_at INTEGER NOT NULL,
            -- The moment of the newest word about the person, also of one that changed nothing.
            heard_at INTEGER,
            UNIQUE (integration, source)
        ) STRICT;
        """
}
