/// Reads with a pass that is not valid now. Each was once a separate entry in the audit log.
enum InvalidPassReads56 {
    static let looks = """
        -- How often on one day; the day before is on record by then.
        CREATE TABLE guest_looks (
            guest_id TEXT NOT NULL PRIMARY KEY REFERENCES guests (id) ON DELETE CASCADE,
            -- By the house's calendar: 2026-11-30.
            day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
            looks INTEGER NOT NULL CHECK (looks > 0)
        ) STRICT;
        """
}
