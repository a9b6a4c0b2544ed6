/// Memories, which are kept longer than the journal, and the text of notifications.
enum Memories16 {
    static let memories = """
        CREATE TABLE memories (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            created_at INTEGER NOT NULL,
            last_accessed INTEGER,
            memory_type TEXT NOT NULL CHECK (memory_type IN ('episodic', 'semantic', 'procedural')),
            category TEXT NOT NULL,
            importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
            title TEXT NOT NULL,
            content TEXT NOT NULL,
            -- A JSON object.
            details TEXT NOT NULL,
            source TEXT NOT NULL CHECK (source IN ('sensor', 'user_interaction', 'internal', 'learned')),
            confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
            access_count INTEGER NOT NULL CHECK (access_count >= 0),
            -- JSON lists.
            tags TEXT NOT NULL,
            related_devices TEXT NOT NULL,
            -- Who told it: person:{id}.
            person TEXT,
            -- A JSON object: what came of it.
            experience TEXT,
            is_pinned INTEGER NOT NULL CHECK (is_pinned IN (0, 1)),
            version INTEGER NOT NULL CHECK (version > 0),
            -- What a person told is theirs.
            CHECK (source <> 'user_interaction' OR person IS NOT NULL)
        ) STRICT;
        CREATE INDEX memories_by_time ON memories (created_at);
        CREATE INDEX memories_by_person ON memories (person) WHERE person IS NOT NULL;
        -- Its row is its memory's number; whoever writes a memory writes its words.
        CREATE VIRTUAL TABLE memory_words USING fts5 (words, tokenize = "unicode61 remove_diacritics 2");
        """

    static let notices = """
        -- What there is to say, where kind and place do not say it.
        ALTER TABLE notices ADD COLUMN words TEXT;
        """
}
