/// The list of resources that a person set up lately, which they review after they end their sessions.
enum AccessChanges48 {
    static let changes = """
        CREATE TABLE access_changes (
            thing TEXT NOT NULL CHECK (thing IN ('integration', 'automation', 'scene', 'token', 'pass', 'button', 'tag', 'camera', 'person',
                'tag_policy')),
            subject TEXT NOT NULL,
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            -- The last time; each of those who changed it has a row.
            at INTEGER NOT NULL,
            PRIMARY KEY (person_id, thing, subject)
        ) STRICT;
        -- Of these an older hub kept by whom they were made.
        INSERT INTO access_changes (thing, subject, person_id, at)
            SELECT 'pass', id, created_by, created_at FROM guests WHERE created_by IN (SELECT id FROM people)
            UNION ALL SELECT 'token', id, person_id, created_at FROM api_tokens
            UNION ALL SELECT 'automation', id, owner, changed_at FROM automations;
        """
}
