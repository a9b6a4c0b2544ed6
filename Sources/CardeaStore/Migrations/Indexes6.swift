/// Indexes for queries that a person waits for, and that scanned whole tables.
enum Indexes6 {
    static let indexes = """
        -- Whether a room was taken out: asked whenever an integration names its rooms.
        CREATE INDEX journal_of_rooms ON journal (subject) WHERE kind = 'room_changed';
        CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);
        """
}
