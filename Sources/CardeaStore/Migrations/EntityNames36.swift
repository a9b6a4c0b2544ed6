/// The integration's id of an entity, and its icon.
enum EntityNames36 {
    static let names = """
        -- What its integration knows it by, whatever people call it.
        ALTER TABLE entities ADD COLUMN unique_id TEXT;
        -- A drawing by its name in a collection: mdi:garage.
        ALTER TABLE entities ADD COLUMN icon TEXT;
        """
}
