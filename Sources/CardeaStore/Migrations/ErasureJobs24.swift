/// Long jobs that people requested, and the people who were erased.
enum ErasureJobs24 {
    static let jobs = """
        CREATE TABLE jobs (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('export', 'erasure')),
            -- Whom it is about, and who asked; NULL for the house itself.
            person_id TEXT NOT NULL,
            asked_by TEXT,
            state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
            step TEXT NOT NULL,
            done INTEGER NOT NULL DEFAULT 0 CHECK (done >= 0),
            total INTEGER CHECK (total >= done),
            asked_at INTEGER NOT NULL,
            finished_at INTEGER CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed'))),
            expires_at INTEGER,
            bytes INTEGER CHECK (bytes >= 0),
            problem TEXT CHECK ((problem IS NOT NULL) = (state = 'failed')),
            -- What an erasure took away, by table.
            receipt TEXT,
            -- The key of an export's file, sealed by the house's: without it what is left of the file is nothing.
            file_key BLOB
        ) STRICT;
        CREATE UNIQUE INDEX one_open_job ON jobs (kind, person_id) WHERE state IN ('waiting', 'running');
        CREATE TRIGGER finished_job_stays BEFORE UPDATE OF state ON jobs
        WHEN OLD.state IN ('done', 'failed') AND NEW.state <> OLD.state
        BEGIN SELECT RAISE(ABORT, 'what is finished is finished'); END;
        """

    static let erasures = """
        -- Who is to be erased again wherever an older copy of this house is brought back.
        CREATE TABLE erasures (
            person_id TEXT PRIMARY KEY,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
