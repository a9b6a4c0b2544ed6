/// What the house makes of its clock.
enum Clock27 {
    static let mark = """
        CREATE TABLE clock (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            sure_at INTEGER NOT NULL,
            looked_at INTEGER NOT NULL,
            leapt_at INTEGER
        ) STRICT;
        """
}
