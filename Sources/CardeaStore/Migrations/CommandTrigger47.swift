/// The audit log names the button or the tag with which a door was opened.
enum CommandTrigger47 {
    static let means = """
        -- `button:` or `tag:`, and its id.
        ALTER TABLE commands ADD COLUMN means TEXT;
        """
}
