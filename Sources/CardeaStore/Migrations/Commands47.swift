/// The record names the button or the tag by which somebody opened.
enum Commands47 {
    static let means = """
        -- `button:` or `tag:`, and its id.
        ALTER TABLE commands ADD COLUMN means TEXT;
        """
}
