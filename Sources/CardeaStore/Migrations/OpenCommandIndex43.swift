/// Each command wrote a page of two indexes when it began and again when it ended; one of them can say both.
enum OpenCommandIndex43 {
    static let open = """
        DROP INDEX one_at_the_door;
        DROP INDEX commands_open;
        -- Where a command is open, and that a door takes one at a time: those on their way to a door share a name there, all others have their own.
        CREATE UNIQUE INDEX commands_open ON commands (entity_id, CASE WHEN is_way_in = 1 AND status = 'dispatching' THEN '' ELSE id END)
            WHERE status IN ('accepted', 'dispatching');
        """
}
