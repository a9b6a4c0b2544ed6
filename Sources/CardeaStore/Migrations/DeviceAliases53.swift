/// Former ids of devices that were merged and of entities that were replaced.
enum DeviceAliases53 {
    static let aliases = """
        CREATE TABLE aliases (
            kind TEXT NOT NULL CHECK (kind IN ('device', 'entity')),
            alias TEXT NOT NULL,
            -- The id that stays. It is never an alias itself.
            id TEXT NOT NULL CHECK (id <> alias),
            since INTEGER NOT NULL,
            PRIMARY KEY (kind, alias)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX aliases_by_id ON aliases (kind, id);
        """
}
