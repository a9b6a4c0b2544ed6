/// The house's memory of its ways in: how each is opened, and on which topics.
enum WayInMemory52 {
    static let memory = """
        -- How an entity is told to act, as its announcement says it. JSON, sealed, since a payload may hold a code.
        ALTER TABLE entities ADD COLUMN wiring TEXT;

        -- The topics on which an entity is told anything, whatever it is.
        CREATE TABLE command_topics (
            entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
            topic TEXT NOT NULL,
            -- Without its last level; empty for a topic of one level.
            parent TEXT NOT NULL,
            PRIMARY KEY (entity_id, topic)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX command_topics_by_topic ON command_topics (topic);
        CREATE INDEX command_topics_by_parent ON command_topics (parent);

        -- Entities that are or were ways in, or that share a topic with one. A row outlasts its entity.
        CREATE TABLE known_ways_in (
            entity_id TEXT NOT NULL PRIMARY KEY,
            since INTEGER NOT NULL,
            -- By itself, and not only by a topic that it shares.
            is_own INTEGER NOT NULL CHECK (is_own IN (0, 1)),
            is_security INTEGER NOT NULL CHECK (is_security IN (0, 1)),
            shares TEXT,
            is_released INTEGER NOT NULL DEFAULT 0 CHECK (is_released IN (0, 1)),
            -- As the household knows it, and as it is announced where that is otherwise. JSON, sealed.
            wiring TEXT,
            announced TEXT,
            -- When it was last announced otherwise, or came to share a topic.
            changed_at INTEGER NOT NULL,
            -- What follows from all this for whoever wants to open it (`WayInHold`).
            hold TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- The topics of those that are ways in by themselves; they stay when the way in goes.
        CREATE TABLE held_topics (
            topic TEXT NOT NULL,
            entity_id TEXT NOT NULL REFERENCES known_ways_in (entity_id) ON DELETE CASCADE,
            parent TEXT NOT NULL,
            PRIMARY KEY (topic, entity_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX held_topics_by_parent ON held_topics (parent);

        -- Those of today. How they are told to open is learnt when they are announced next.
        INSERT INTO known_ways_in (entity_id, since, is_own, is_security, changed_at, hold)
            SELECT e.id, 0, 1, d.is_security_device, 0, 'held' FROM entities e JOIN devices d ON d.id = e.device_id
            WHERE (e.is_way_in = 1 OR e.kind = 'alarm_control_panel') AND d.integration NOT IN ('buttons', 'planned');
        """
}
