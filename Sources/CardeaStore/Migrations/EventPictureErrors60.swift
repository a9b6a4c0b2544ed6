/// An event is kept without a picture that is no good, and says why.
enum EventPictureErrors60 {
    static let problems = """
        -- The code of the reason for which its picture was not kept; NULL: it was, or none was sent.
        ALTER TABLE events ADD COLUMN picture_problem TEXT
            CHECK (picture_problem IS NULL OR (picture_problem <> '' AND picture_key IS NULL));

        -- The reason is that of the moment in which the event was told.
        CREATE TRIGGER picture_problem_stays BEFORE UPDATE OF picture_problem ON events
        BEGIN SELECT RAISE(ABORT, 'what was seen stays as it was told'); END;
        """
}
