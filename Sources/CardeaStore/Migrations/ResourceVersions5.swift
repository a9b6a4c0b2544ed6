/// A house that is lived in: devices are edited while they talk, rooms follow where they came from, and covers take their time.
enum ResourceVersions5 {
    /// Data that people edit gets a version of its own; until now one number counted the reports of the device too. A client that has read
    /// that number may still edit with it.
    static let versions = """
        ALTER TABLE devices RENAME COLUMN version TO revision;
        ALTER TABLE devices ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
        UPDATE devices SET version = revision;
        """

    static let movements = """
        -- When the device first said that it is under way.
        ALTER TABLE commands ADD COLUMN moving_since INTEGER;
        """

    static let integrations = """
        -- What another system of the house may do with the house's own locks.
        CREATE TABLE integration_grants (
            integration TEXT PRIMARY KEY,
            allows_lock INTEGER NOT NULL CHECK (allows_lock IN (0, 1)),
            allows_open INTEGER NOT NULL CHECK (allows_open IN (0, 1))
        ) STRICT;
        """

    static let rooms = """
        -- What the integration last called the room; NULL for a room that people made.
        ALTER TABLE rooms ADD COLUMN found_name TEXT;
        -- Nobody has changed these since they were found.
        UPDATE rooms SET found_name = name
        WHERE version = 1 AND id IN (SELECT room_id FROM devices WHERE integration = 'home-assistant');
        """
}
