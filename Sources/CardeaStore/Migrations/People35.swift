/// What people edit of each other has a version, as scenes and rooms do: nobody overwrites what they have not read.
enum People35 {
    static let versions = """
        ALTER TABLE people ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
        """
}
