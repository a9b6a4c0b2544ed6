/// Twins that people requested: of a different fidelity than a device's own, or of a device that is only planned.
enum Twins18 {
    static let twins = """
        CREATE TABLE twins (
            device_id TEXT PRIMARY KEY CHECK (length(device_id) BETWEEN 1 AND 128),
            fidelity TEXT NOT NULL CHECK (fidelity IN ('basic', 'advanced', 'expert')),
            -- What it is called, and its kind of entity, while there is no such device.
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            kind TEXT NOT NULL CHECK (length(kind) > 0),
            made_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
