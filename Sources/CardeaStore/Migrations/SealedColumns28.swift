/// Seals data about people in its columns. Full-text indexes hold only the marks of words; the next start, which has the house's key, seals
/// the columns that are in the clear and fills the indexes.
enum SealedColumns28 {
    static let columns = """
        CREATE TABLE column_seal (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            at INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE people ADD COLUMN username_mark BLOB CHECK (username_mark IS NULL OR length(username_mark) = 32);
        CREATE UNIQUE INDEX people_by_username ON people (username_mark) WHERE username_mark IS NOT NULL;
        """

    static let words = """
        DROP TABLE memory_words;
        CREATE VIRTUAL TABLE memory_words USING fts5 (words, tokenize = 'unicode61');
        DROP TABLE event_words;
        CREATE VIRTUAL TABLE event_words USING fts5 (
            description, type, camera_name, place, content = 'events', content_rowid = 'key',
            tokenize = 'keyed porter unicode61 remove_diacritics 2');
        """
}
