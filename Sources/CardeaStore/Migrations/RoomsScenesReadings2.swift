/// Scenes, rooms' properties, the house's preferences, and sensor readings over time.
enum RoomsScenesReadings2 {
    static let scenes = """
        CREATE TABLE scenes (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL CHECK (name <> ''),
            icon TEXT,
            version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        -- A device may go and come back; what a scene does with it is kept meanwhile.
        CREATE TABLE scene_actions (
            scene_id TEXT NOT NULL REFERENCES scenes (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            device_id TEXT NOT NULL,
            entity_id TEXT,
            verb TEXT NOT NULL,
            value TEXT,
            transition REAL,
            PRIMARY KEY (scene_id, position)
        ) STRICT, WITHOUT ROWID;
        """

    static let rooms = """
        ALTER TABLE rooms ADD COLUMN kind TEXT NOT NULL DEFAULT 'other';
        ALTER TABLE rooms ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE rooms ADD COLUMN square_footage REAL CHECK (square_footage > 0);
        ALTER TABLE rooms ADD COLUMN ceiling_height REAL CHECK (ceiling_height > 0);
        ALTER TABLE rooms ADD COLUMN window_count INTEGER NOT NULL DEFAULT 0 CHECK (window_count >= 0);
        ALTER TABLE rooms ADD COLUMN door_count INTEGER NOT NULL DEFAULT 0 CHECK (door_count >= 0);
        ALTER TABLE rooms ADD COLUMN preferred_temperature REAL;
        ALTER TABLE rooms ADD COLUMN preferred_humidity REAL CHECK (preferred_humidity BETWEEN 0 AND 100);
        ALTER TABLE rooms ADD COLUMN default_brightness INTEGER NOT NULL DEFAULT 100 CHECK (default_brightness BETWEEN 0 AND 100);
        ALTER TABLE rooms ADD COLUMN color_temperature INTEGER;
        ALTER TABLE rooms ADD COLUMN automatic_light INTEGER NOT NULL DEFAULT 0 CHECK (automatic_light IN (0, 1));
        ALTER TABLE rooms ADD COLUMN motion_light INTEGER NOT NULL DEFAULT 0 CHECK (motion_light IN (0, 1));
        ALTER TABLE rooms ADD COLUMN activities TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE rooms ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
        """

    static let house = """
        ALTER TABLE house ADD COLUMN floors INTEGER NOT NULL DEFAULT 1 CHECK (floors > 0);
        ALTER TABLE house ADD COLUMN default_temperature REAL NOT NULL DEFAULT 21;
        ALTER TABLE house ADD COLUMN saves_energy INTEGER NOT NULL DEFAULT 0 CHECK (saves_energy IN (0, 1));
        ALTER TABLE house ADD COLUMN security_level TEXT NOT NULL DEFAULT 'medium';
        -- Minutes after midnight, by the house's clock.
        ALTER TABLE house ADD COLUMN quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439);
        ALTER TABLE house ADD COLUMN quiet_to INTEGER CHECK (quiet_to BETWEEN 0 AND 1439);
        ALTER TABLE house ADD COLUMN is_on_vacation INTEGER NOT NULL DEFAULT 0 CHECK (is_on_vacation IN (0, 1));
        -- Rises with every change of the preferences.
        ALTER TABLE house ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
        -- Rises with every change of the preferences or of a room.
        ALTER TABLE house ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
        """

    static let descriptions = """
        ALTER TABLE devices ADD COLUMN description TEXT;
        ALTER TABLE devices ADD COLUMN discovery TEXT;
        ALTER TABLE devices ADD COLUMN hub_id TEXT;
        -- A person chose the room, or chose that there is none.
        ALTER TABLE devices ADD COLUMN room_is_given INTEGER NOT NULL DEFAULT 0 CHECK (room_is_given IN (0, 1));
        """

    static let readings = """
        CREATE TABLE readings (
            entity_id TEXT NOT NULL,
            at INTEGER NOT NULL,
            value REAL NOT NULL,
            PRIMARY KEY (entity_id, at)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE hourly_readings (
            entity_id TEXT NOT NULL,
            hour INTEGER NOT NULL,
            low REAL NOT NULL,
            high REAL NOT NULL,
            mean REAL NOT NULL,
            first REAL NOT NULL,
            last REAL NOT NULL,
            -- What a meter counted within the hour, its restarts included.
            used REAL NOT NULL,
            count INTEGER NOT NULL CHECK (count > 0),
            is_energy INTEGER NOT NULL CHECK (is_energy IN (0, 1)),
            PRIMARY KEY (entity_id, hour)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX hourly_readings_by_age ON hourly_readings (is_energy, hour);
        """

    static let preferences = """
        CREATE TABLE preferences (
            person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
            temperature_unit TEXT NOT NULL CHECK (temperature_unit IN ('celsius', 'fahrenheit')),
            energy_cost_rate REAL NOT NULL CHECK (energy_cost_rate >= 0),
            water_cost_rate REAL NOT NULL CHECK (water_cost_rate >= 0),
            display TEXT NOT NULL,
            version INTEGER NOT NULL CHECK (version > 0)
        ) STRICT;
        """
}
