/// What an entity is to its integration, and how it is drawn.
enum Entities36 {
    static let names = """
        -- What its integration knows it by, whatever people call it.
        ALTER TABLE entities ADD COLUMN unique_id TEXT;
        -- A drawing by its name in a collection: mdi:garage.
        ALTER TABLE entities ADD COLUMN icon TEXT;
        """
}
