/// A person's editable data gets a version, as scenes and rooms have: no edit overwrites data that its author has not read.
enum PersonVersions35 {
    static let versions = """
        ALTER TABLE people ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
        """
}
